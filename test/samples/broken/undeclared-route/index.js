const { definePlugin, route } = require('@gantry/plugin-api');
module.exports = definePlugin({
  id: 'undeclared-route',
  register({ router }) {
    router.add(
      route({
        method: 'GET',
        path: '/undeclared',
        operationId: 'readUndeclared',
        summary: 'Not in package.json',
        access: 'signed-in',
        handler: async () => ({}),
      }),
    );
  },
});
