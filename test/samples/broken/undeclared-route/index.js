const { definePlugin } = require('@gantry/plugin-api');
module.exports = definePlugin({
  id: 'undeclared-route',
  register({ router }) {
    router.route('GET', '/undeclared', async () => ({ data: null }));
  },
});
