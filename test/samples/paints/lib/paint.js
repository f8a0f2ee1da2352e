const { BaseItem, Field, ItemType } = require('@gantry/plugin-api');

class Paint extends BaseItem {}
exports.Paint = Paint;

Field({ displayName: 'Name', required: true, searchable: true })(Paint.prototype, 'name');
Field({ displayName: 'Colour', required: true, searchable: true, maxLength: 7, pattern: '#[0-9a-f]{6}' })(Paint.prototype, 'colour');
Field({ displayName: 'Room', options: ['KITCHEN', 'BATH', 'HALL'], searchable: true })(Paint.prototype, 'room');
Field({ displayName: 'Litres', type: 'NUMBER', column: 'DECIMAL(10, 2)', min: 0 })(Paint.prototype, 'litres');
Field({
  displayName: 'Square metres',
  type: 'NUMBER',
  column: 'DECIMAL(12, 2)',
  searchable: true,
  help: 'One coat, 8 m² for each litre.',
  computed: { sql: '{litres} * 8' },
})(Paint.prototype, 'coverage');
Field({
  displayName: 'Letters on it',
  computed: { from: ['colour'], value: ({ colour }) => (isDark(colour) ? 'white' : 'black') },
})(Paint.prototype, 'letters');
ItemType({ displayName: 'Paint', columns: ['name', 'colour', 'room', 'litres', 'coverage'], unique: [['name']] })(Paint);

/** By the luminance of the colour, about as people see it. */
function isDark(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}
