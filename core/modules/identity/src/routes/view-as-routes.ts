import { z } from 'zod';
import { roleName } from '../roles/role-name';
import type { Identity } from '../create-identity';
import { routesWith, type HostRoute } from '@gantry/core-http';
import { changesRoles, managesUsers } from './assert-manages-users';
import { assertSignInMode } from './assert-sign-in-mode';
import { cookieText, type SessionCookies } from './sign-in/session-cookie';

export interface ViewAsServices {
  readonly identity: Pick<Identity, 'isSignInRequired' | 'roles'>;
  readonly cookies: SessionCookies;
}

export const viewAsPath = '/api/platform/view-as';

const route = routesWith<ViewAsServices>();
const chosenRoles = z.object({ roles: z.array(roleName).min(1).max(20) });
/** As long as a session lasts at most by default; signing out ends it as well. */
const maxAgeSeconds = 7 * 24 * 3_600;

/** Lets an administrator see the pages, and use the REST interface, with the rights of other roles: in this browser, until it is ended. */
export const viewAsRoutes: readonly HostRoute<ViewAsServices>[] = [
  route({
    method: 'PUT',
    path: viewAsPath,
    operationId: 'viewAs',
    summary: 'View the platform as a user with these roles only',
    description:
      'Until the view ends, requests of this browser have only these rights; a cookie stores the roles. 404 for a role that ' +
      'does not exist.',
    access: managesUsers,
    demand: changesRoles,
    errors: ['NOT_FOUND'],
    body: chosenRoles.strict(),
    answer: chosenRoles,
    async handler({ body: { roles } }, { identity, cookies: { viewAs: name, isSecure } }) {
      assertSignInMode(identity);
      for (const role of roles) await identity.roles.get(role);
      await identity.roles.reload();
      return {
        data: { roles },
        headers: { 'Set-Cookie': cookieText({ name, value: roles.join('.'), maxAgeSeconds, isSecure }) },
      };
    },
  }),
  route({
    method: 'DELETE',
    path: viewAsPath,
    operationId: 'endViewAs',
    summary: 'End the view as other roles',
    description: 'Without such a view, the request has no effect.',
    access: 'signed-in',
    async handler(_call, { cookies: { viewAs: name, isSecure } }) {
      return { headers: { 'Set-Cookie': cookieText({ name, value: '', maxAgeSeconds: 0, isSecure }) } };
    },
  }),
];
