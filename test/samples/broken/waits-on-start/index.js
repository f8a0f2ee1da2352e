const { definePlugin } = require('@gantry/plugin-api');
module.exports = definePlugin({ id: 'waits-on-start', start: () => new Promise(() => {}) });
