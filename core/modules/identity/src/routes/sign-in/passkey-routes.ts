import { GantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import { addedPasskey, passkey, passkeyName } from '../../accounts/account-schemas';
import { registrationInput } from '../../second-factors/passkey-input';
import type { PasskeySite } from '../../second-factors/passkey-site';
import { routesWith, type HostRoute } from '@gantry/core-http';
import { assertPassword, changesAccount, personOf, readsAccount, type AccountServices } from '../own-account';

const route = routesWith<AccountServices>();
const path = '/api/platform/account/passkeys/:id';
const params = z.object({ id: z.string().describe('Id.') }).transform(({ id }) => id);
/** Of routes that need the current password. */
export const passwordInput = { currentPassword: z.string().max(1_024) };
const audited = (userId: string, { id }: { readonly id: string }) => ({
  subject: `user:${userId}`,
  detail: { passkey: id },
});

/** Passkeys of the caller. */
export const passkeyRoutes: readonly HostRoute<AccountServices>[] = [
  route({
    method: 'POST',
    path: '/api/platform/account/passkey-registration',
    operationId: 'beginPasskey',
    summary: 'Begin the setup of a passkey',
    description:
      'A wrong password is a 403; too many in a session are a 429. Passkeys need https and a host name: 409 without.',
    access: 'signed-in',
    demand: changesAccount,
    errors: ['TOO_MANY_REQUESTS'],
    body: z.strictObject(passwordInput),
    answer: z.looseObject({}).describe('The PublicKeyCredentialCreationOptionsJSON of WebAuthn, valid for 5 minutes.'),
    async handler({ body, author }, services) {
      const { identity, passkeySite } = services;
      await assertPassword(services, author, body.currentPassword);
      const { id: userId } = personOf(author);
      const { login } = await identity.users.get(userId);
      const options = await identity.passkeys.beginRegistration({ userId, login }, assertSite(passkeySite));
      return { data: { ...options } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/platform/account/passkeys',
    operationId: 'listPasskeys',
    summary: 'List the passkeys of the caller',
    description: 'Secrets are not included: they never leave the device.',
    access: 'signed-in',
    demand: readsAccount,
    errors: ['CONFLICT'],
    answer: z.object({
      origin: z
        .string()
        .nullable()
        .describe('Origin of the pages on which passkeys are valid; null if passkeys cannot be used.'),
      passkeys: z.array(passkey).describe('The oldest first.'),
    }),
    async handler({ author }, { identity, passkeySite }) {
      const passkeys = await identity.passkeys.list(personOf(author).id);
      return { data: { origin: passkeySite?.origin ?? null, passkeys } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/platform/account/passkeys',
    operationId: 'addPasskey',
    summary: 'Finish the setup of a passkey; other sessions of the person end',
    access: 'signed-in',
    demand: changesAccount,
    presence: true,
    errors: ['TOO_MANY_REQUESTS'],
    audit: 'passkey-added',
    body: z.strictObject({ name: passkeyName.optional(), registration: registrationInput }),
    answer: addedPasskey,
    status: 201,
    async handler({ body, author, audit }, { identity, passkeySite, attempts }) {
      const { id, sessionId } = personOf(author);
      const site = assertSite(passkeySite);
      await attempts.begin(sessionId);
      const verified = await identity.passkeys.verify(id, body, site);
      const data = await identity.change(author, async ({ passkeys, sessions, record }) => {
        const added = await passkeys.add(id, verified);
        await sessions.removeOthers(id, sessionId);
        await audit(audited(id, added.passkey), record);
        return { ...added.passkey, recoveryCodes: added.recoveryCodes };
      });
      await attempts.succeed(sessionId);
      return { data };
    },
  }),
  route({
    method: 'PATCH',
    path,
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    description: 'Only the name changes.',
    access: 'signed-in',
    demand: changesAccount,
    audit: 'passkey-renamed',
    params,
    body: z.strictObject({ name: passkeyName }),
    answer: passkey,
    async handler({ params: id, body: { name }, author, audit }, { identity }) {
      const person = personOf(author);
      const data = await identity.change(author, async ({ passkeys, record }) => {
        const renamed = await passkeys.rename(person.id, id, name);
        await audit(audited(person.id, renamed), record);
        return renamed;
      });
      return { data };
    },
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'removePasskey',
    summary: 'Remove a passkey; the recovery codes are removed with the last second factor',
    description: 'A wrong password is a 403; too many in a session are a 429.',
    access: 'signed-in',
    demand: changesAccount,
    errors: ['TOO_MANY_REQUESTS'],
    audit: 'passkey-removed',
    params,
    body: z.strictObject(passwordInput),
    async handler({ params: id, body, author, audit }, services) {
      await assertPassword(services, author, body.currentPassword);
      const person = personOf(author);
      await services.identity.change(author, async ({ passkeys, record }) => {
        await audit(audited(person.id, await passkeys.remove(person.id, id)), record);
      });
      return {};
    },
  }),
];

/** @throws GantryError CONFLICT where browsers offer no passkeys */
function assertSite(site: PasskeySite | undefined): PasskeySite {
  if (site !== undefined) return site;
  throw new GantryError(
    'CONFLICT',
    'Passkeys need a host name and https: set GANTRY_PUBLIC_URL to an address such as https://cms.example.com.',
  );
}
