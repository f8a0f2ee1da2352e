const { definePlugin } = require('@gantry/plugin-api');
module.exports = definePlugin({
  id: 'throws-on-register',
  register() {
    throw new TypeError('the sample throws while it registers');
  },
});
