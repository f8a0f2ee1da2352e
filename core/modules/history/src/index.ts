export { createChangeHub } from './change-hub';
export type { ChangeHub } from './change-hub';
export { positionOf } from './change-statements';
export { changesOfTables, countByTable, countChanges, positionBefore } from './feed-statements';
export { comparePositions, firstPosition, formatPosition, parsePosition } from './position';
export type { Position } from './position';
export { createChangeReader } from './read-changes';
export type { ChangeReader, ChangeText } from './read-changes';
export { changeRoutes } from './routes/change-routes';
