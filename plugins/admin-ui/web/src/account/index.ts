export { AccountPage } from './account-page';
export { SetPasswordPage } from './set-password-page';
export { SignInForm } from './sign-in-form';
export { SignInPage } from './sign-in-page';
export { RolePage } from './roles/role-page';
export { RolesPage } from './roles/roles-page';
export { UsersPage } from './users-page';
