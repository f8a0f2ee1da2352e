const { BaseItem, Field, ItemType } = require('@gantry/plugin-api');

class Paint extends BaseItem {}
exports.Paint = Paint;

Field({ displayName: 'Name', required: true, searchable: true })(Paint.prototype, 'name');
Field({ displayName: 'Colour', required: true, searchable: true, maxLength: 7, pattern: '#[0-9a-f]{6}' })(Paint.prototype, 'colour');
Field({ displayName: 'Room', options: ['KITCHEN', 'BATH', 'HALL'], searchable: true })(Paint.prototype, 'room');
Field({ displayName: 'Litres', type: 'NUMBER', column: 'DECIMAL(10, 2)', min: 0 })(Paint.prototype, 'litres');
ItemType({ displayName: 'Paint', columns: ['name', 'colour', 'room', 'litres'], unique: [['name']] })(Paint);
