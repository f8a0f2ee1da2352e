const { definePlugin } = require('@gantry/plugin-api');
module.exports = definePlugin({ id: 'another' });
