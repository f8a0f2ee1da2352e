module.exports = async function stopTestDatabase() {
  await globalThis.__gantryTestDatabase?.stop();
};
