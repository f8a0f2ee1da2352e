const { definePlugin } = require('@gantry/plugin-api');
module.exports = definePlugin({
  id: 'crashes-on-start',
  async start() {
    setImmediate(() => {
      throw new Error('the sample throws where nobody can catch it');
    });
    await new Promise((resolve) => setTimeout(resolve, 1000));
  },
});
