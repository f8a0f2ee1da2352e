const { definePlugin } = require('@gantry/plugin-api');
module.exports = definePlugin({
  id: 'throws-on-start',
  async start() {
    throw new Error('the sample throws while it starts');
  },
});
