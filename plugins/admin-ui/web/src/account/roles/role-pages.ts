/** One chunk: a reader of one of these pages mostly opens the other. */
export { RolePage } from './role-page';
export { RolesPage } from './roles-page';
