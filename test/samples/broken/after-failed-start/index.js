const { definePlugin } = require('@gantry/plugin-api');
module.exports = definePlugin({ id: 'after-failed-start' });
