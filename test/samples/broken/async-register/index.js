const { definePlugin } = require('@gantry/plugin-api');
module.exports = definePlugin({
  id: 'async-register',
  async register() {
    throw new Error('nobody waits for this');
  },
});
