const { definePlugin } = require('@gantry/plugin-api');
module.exports = definePlugin({
  id: 'blocks-on-start',
  async start() {
    // Only the launcher can end this.
    for (;;);
  },
});
