module.exports = { id: 'no-definition', itemTypes: [] };
