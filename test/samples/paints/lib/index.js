const { definePlugin } = require('@gantry/plugin-api');
const { Paint } = require('./paint');

exports.Paint = Paint;
exports.default = definePlugin({ id: 'paints', itemTypes: [Paint] });
