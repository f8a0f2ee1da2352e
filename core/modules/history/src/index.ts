export { createChangeHub } from './change-hub';
export type { ChangeHub } from './change-hub';
export { eraseChanges } from './erase-changes';
export { createChangeReader } from './read-changes';
export type { ChangeReader } from './read-changes';
export { changeRoutes } from './routes/change-routes';
export { history } from './module';
