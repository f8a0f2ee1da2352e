const { definePlugin } = require('@gantry/plugin-api');
module.exports = definePlugin({
  id: 'exits-on-start',
  async start() {
    await new Promise((resolve) => setImmediate(resolve));
    try {
      process.exit(0);
    } catch {
      // It continues as if nothing had happened.
    }
  },
});
