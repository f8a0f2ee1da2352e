const { hostRoutes } = require('@gantry/core-http');
const { routes } = require('./routes.js');
const { tables } = require('./tables.js');

/** Announcements: administrators write them, and the home page shows them. */
exports.announcements = {
  id: 'gantry.announcements',
  displayName: 'Announcements',
  tables,
  permissions: [{ name: 'announcements.write', displayName: 'Write announcements' }],
  routes,
  contributes: {
    commands: [{ name: 'write', route: 'writeAnnouncement' }],
    homeCards: [{ name: 'current', title: 'Announcements', route: 'listAnnouncements', text: 'title', value: 'writtenAt', link: '/x/gantry.announcements/all' }],
    tablePages: [
      {
        name: 'all',
        title: 'Announcements',
        icon: 'info',
        route: 'listAnnouncements',
        columns: ['title', 'text', 'writtenAt', 'until'],
        actions: ['write'],
      },
    ],
  },
  open: ({ accounts, database }) => ({
    routes: (server) => [hostRoutes(routes, { accounts, database: database.plugins }, server)],
  }),
};
