import { hostRoutes, type Module } from '@gantry/core-http';
import type { RunQuery } from '@gantry/core-database';
import { createChangeHub } from './change-hub';
import { createChangeReader } from './read-changes';
import { changeRoutes } from './routes/change-routes';

/** The change feed: history, restore and the stream of changes. */
export const history: Module = {
  id: 'gantry.history',
  routes: changeRoutes,
  open({ accounts, database, items, logger, onCommit }) {
    const query: RunQuery = (statement) => database.query(statement);
    const changes = createChangeReader(query, accounts.namesOf);
    const hub = createChangeHub({ changes, onCommit, logger });
    return {
      changes,
      routes: (server) => [hostRoutes(changeRoutes, { ...items, changes, hub, query }, server)],
      stop: () => hub.close(),
    };
  },
};
