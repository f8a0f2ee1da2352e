import { GantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import { addedPasskey, apiToken, createdToken, newTokenInput, session, user } from '../accounts/account-schemas';
import { createApiToken, revokeApiToken } from '../tokens/change-api-tokens';
import { routesWith, type HostRoute } from '@gantry/core-http';
import {
  assertPassword,
  changesAccount,
  personOf,
  provingPassword,
  readsAccount,
  type AccountServices,
} from './own-account';
import { passkeyRoutes, passwordInput } from './sign-in/passkey-routes';
import { presenceRoute } from './sign-in/presence-route';
import { codeText } from './sign-in/second-factor';

const route = routesWith<AccountServices>();
const params = z.object({ id: z.string().describe('Id.') }).transform(({ id }) => id);

const passwordRoutes: readonly HostRoute<AccountServices>[] = [
  route({
    method: 'GET',
    path: '/api/platform/account/password',
    operationId: 'readPassword',
    summary: 'Show how the caller signs in: with a password, with an identity provider, or both',
    description: '403 for an API token, and 409 on a platform without sign-in.',
    access: 'signed-in',
    demand: readsAccount,
    errors: ['CONFLICT'],
    answer: user.pick({ hasPassword: true, identityProvider: true }),
    async handler({ author }, { identity }) {
      const { hasPassword, identityProvider } = await identity.users.get(personOf(author).id);
      return { data: { hasPassword, identityProvider } };
    },
  }),
  route({
    method: 'PUT',
    path: '/api/platform/account/password',
    operationId: 'changePassword',
    summary: 'Change the password of the caller; all other sessions of the caller end',
    description:
      'The new password must meet the password policy; otherwise 400 with its rules. A wrong password is a 403; too many ' +
      'in a session are a 429. API tokens stay valid.',
    access: 'signed-in',
    demand: changesAccount,
    errors: ['TOO_MANY_REQUESTS'],
    audit: 'password-changed',
    body: z.strictObject({ ...passwordInput, newPassword: z.string().max(1_024).meta({ minLength: 8 }) }),
    async handler({ body: { currentPassword, newPassword }, author, audit }, services) {
      const { identity } = services;
      const prepared = await provingPassword(services, author, ({ id, sessionId }) =>
        identity.signIn.prepareChange({ userId: id, sessionId, current: currentPassword, next: newPassword }),
      );
      await identity.change(author, async ({ signIn, record }) => {
        await signIn.changePassword(prepared);
        await audit({ subject: `user:${prepared.userId}` }, record);
      });
      return {};
    },
  }),
];

const totp = { path: '/api/platform/account/totp', access: 'signed-in' } as const;

/** An authenticator app. */
const totpRoutes: readonly HostRoute<AccountServices>[] = [
  route({
    ...totp,
    method: 'GET',
    operationId: 'readTotp',
    summary: 'Show whether the caller has an authenticator app',
    description: '403 for an API token, and 409 on a platform without sign-in.',
    demand: readsAccount,
    errors: ['CONFLICT'],
    answer: z.object({ isEnabled: z.boolean() }),
    async handler({ author }, { identity }) {
      return { data: { isEnabled: await identity.totp.isRequired(personOf(author).id) } };
    },
  }),
  route({
    ...totp,
    method: 'POST',
    operationId: 'beginTotp',
    summary: 'Begin the setup of an authenticator app',
    description:
      'The app is not asked for before `PUT` confirms the setup. A wrong password is a 403; too many in a ' +
      'session are a 429.',
    demand: changesAccount,
    errors: ['TOO_MANY_REQUESTS'],
    body: z.strictObject(passwordInput),
    answer: z
      .object({ secret: z.string(), uri: z.string() })
      .meta({ id: 'TotpSetup', description: 'The secret that the app needs, shown once.' }),
    async handler({ body, author }, services) {
      await assertPassword(services, author, body.currentPassword);
      const { id } = personOf(author);
      const data = await services.identity.change(author, async (change) =>
        change.totp.begin(id, (await change.users.get(id)).login),
      );
      return { data };
    },
  }),
  route({
    ...totp,
    method: 'PUT',
    operationId: 'confirmTotp',
    summary: 'Confirm the setup by a code of the app; other sessions of the person end',
    demand: changesAccount,
    presence: true,
    errors: ['TOO_MANY_REQUESTS'],
    audit: 'second-factor-added',
    body: z.strictObject({ code: codeText }),
    answer: addedPasskey.pick({ recoveryCodes: true }),
    async handler({ body: { code }, author, audit }, { identity, attempts }) {
      const { id, sessionId } = personOf(author);
      await attempts.begin(sessionId);
      const recoveryCodes = await identity.change(author, async (change) => {
        const codes = await change.totp.confirm(id, code);
        await change.sessions.removeOthers(id, sessionId);
        await audit({ subject: `user:${id}` }, change.record);
        return codes;
      });
      await attempts.succeed(sessionId);
      return { data: { recoveryCodes } };
    },
  }),
  route({
    ...totp,
    method: 'DELETE',
    operationId: 'removeTotp',
    summary: 'Remove the authenticator app',
    description:
      'Recovery codes are removed with the last second factor. A wrong password is a 403; too many in a ' +
      'session are a 429.',
    demand: changesAccount,
    errors: ['TOO_MANY_REQUESTS'],
    audit: 'second-factor-removed',
    body: z.strictObject(passwordInput),
    async handler({ body, author, audit }, services) {
      await assertPassword(services, author, body.currentPassword);
      const { id } = personOf(author);
      await services.identity.change(author, async (change) => {
        await change.totp.remove(id);
        await audit({ subject: `user:${id}` }, change.record);
      });
      return {};
    },
  }),
];

const sessionRoutes: readonly HostRoute<AccountServices>[] = [
  route({
    method: 'GET',
    path: '/api/platform/account/sessions',
    operationId: 'listSessions',
    summary: 'List the sessions of the caller, the latest first',
    description: '403 for an API token: only the person can see the own sessions.',
    access: 'signed-in',
    demand: readsAccount,
    errors: ['CONFLICT'],
    answer: z.array(session),
    async handler({ author }, { identity }) {
      const { id, sessionId } = personOf(author);
      return { data: await identity.sessions.list(id, sessionId) };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/platform/account/sessions/:id',
    operationId: 'endSession',
    summary: 'End a session of the caller',
    description: 'The next request of that browser is a 401. The session of the request itself can be ended too.',
    access: 'signed-in',
    demand: readsAccount,
    audit: 'session-ended',
    params,
    async handler({ params: sessionId, author, audit }, { identity }) {
      const { id } = personOf(author);
      await identity.change(author, async ({ sessions, record }) => {
        if (!(await sessions.remove(id, sessionId))) throw new GantryError('NOT_FOUND', 'There is no such session.');
        await audit({ subject: `user:${id}` }, record);
      });
      return {};
    },
  }),
];

const ownTokenRoutes: readonly HostRoute<AccountServices>[] = [
  route({
    method: 'GET',
    path: '/api/platform/account/tokens',
    operationId: 'listOwnTokens',
    summary: 'List the API tokens of the caller',
    description: 'The tokens themselves are not included: each is shown once, when it is created.',
    access: 'signed-in',
    demand: readsAccount,
    errors: ['CONFLICT'],
    answer: z.array(apiToken),
    handler: async ({ author }, { identity }) => ({ data: await identity.apiTokens.list(personOf(author).id) }),
  }),
  route({
    method: 'POST',
    path: '/api/platform/account/tokens',
    operationId: 'createOwnToken',
    summary: 'Create an API token with the rights of the caller',
    description: 'The response contains the token, which is not shown again.',
    access: 'signed-in',
    demand: changesAccount,
    presence: true,
    body: newTokenInput,
    answer: createdToken,
    status: 201,
    async handler({ body, author }, { identity }) {
      const { id } = personOf(author);
      const data = await identity.change(author, async (change) =>
        createApiToken(change, await change.users.get(id), body),
      );
      return { data };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/platform/account/tokens/:id',
    operationId: 'revokeOwnToken',
    summary: 'Revoke an API token of the caller',
    description: 'The next request with the token is a 401. This cannot be undone.',
    access: 'signed-in',
    demand: changesAccount,
    params,
    async handler({ params: token, author }, { identity }) {
      await identity.change(author, (change) => revokeApiToken(change, token, personOf(author).id));
      return {};
    },
  }),
];

/** Routes of people about their own account. */
export const accountRoutes: readonly HostRoute<AccountServices>[] = [
  ...passkeyRoutes,
  ...passwordRoutes,
  presenceRoute,
  ...totpRoutes,
  ...sessionRoutes,
  ...ownTokenRoutes,
];
