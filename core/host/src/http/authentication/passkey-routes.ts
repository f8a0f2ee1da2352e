import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import { lineOfText, registrationInput, type Identity, type PasskeySite } from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import type { PathHandlers } from '../exchange/routes';
import { sendData } from '../exchange/send';
import type { AttemptLimit } from './attempt-limit';
import { personOf, provingPassword } from './own-account';
import { recordAction } from './record-action';

export interface PasskeyRouteDependencies {
  readonly identity: Identity;
  readonly readJson: ReadJson;
  readonly passkeySite: PasskeySite | undefined;
}

interface IdParams {
  readonly id: string;
}

const passwordBody = z.strictObject({ currentPassword: z.string().max(1_024) });
const passkeyName = lineOfText('name', 100);
const addBody = z.strictObject({ name: passkeyName.optional(), registration: registrationInput });
const renameBody = z.strictObject({ name: passkeyName });

/** POST begins the setup of a passkey. */
export function passkeyRegistrationPath(
  dependencies: PasskeyRouteDependencies,
  attempts: AttemptLimit,
): PathHandlers<object> {
  const { identity, readJson, passkeySite } = dependencies;
  return {
    async post(request, response) {
      const { id } = personOf(identity, request);
      await withPassword(dependencies, attempts, request, await readJson(request, response));
      const { login } = await identity.users.get(id);
      const options = await identity.passkeys.beginRegistration({ userId: id, login }, assertSite(passkeySite));
      sendData(response, 200, JSON.stringify(options));
    },
  };
}

/** GET lists the passkeys, POST adds the one whose setup was begun. */
export function passkeysPath(
  { identity, readJson, passkeySite }: PasskeyRouteDependencies,
  attempts: AttemptLimit,
): PathHandlers<object> {
  return {
    async get(request, response) {
      const { id } = personOf(identity, request);
      const passkeys = await identity.passkeys.list(id);
      sendData(response, 200, JSON.stringify({ origin: passkeySite?.origin ?? null, passkeys }));
    },
    async post(request, response) {
      const { id, sessionId } = personOf(identity, request);
      const wanted = parseBody(addBody, await readJson(request, response));
      const site = assertSite(passkeySite);
      await attempts.begin(sessionId);
      const { passkey, recoveryCodes } = await identity.passkeys.add(id, wanted, site);
      await attempts.succeed(sessionId);
      await identity.sessions.removeOthers(id, sessionId);
      identity.authenticator.forget();
      await record(identity, request, 'passkey-added', passkey.id);
      sendData(response, 201, JSON.stringify({ ...passkey, recoveryCodes }));
    },
  };
}

/** PATCH renames a passkey, DELETE removes it. */
export function passkeyPath(dependencies: PasskeyRouteDependencies, attempts: AttemptLimit): PathHandlers<IdParams> {
  const { identity, readJson } = dependencies;
  return {
    async patch(request, response) {
      const { id } = personOf(identity, request);
      const { name } = parseBody(renameBody, await readJson(request, response));
      const passkey = await identity.passkeys.rename(id, request.params.id, name);
      await record(identity, request, 'passkey-renamed', passkey.id);
      sendData(response, 200, JSON.stringify(passkey));
    },
    async delete(request, response) {
      const { id } = personOf(identity, request);
      await withPassword(dependencies, attempts, request, await readJson(request, response));
      const passkey = await identity.passkeys.remove(id, request.params.id);
      await record(identity, request, 'passkey-removed', passkey.id);
      response.status(204).end();
    },
  };
}

async function withPassword(
  { identity }: PasskeyRouteDependencies,
  attempts: AttemptLimit,
  request: IncomingMessage,
  body: unknown,
): Promise<void> {
  const { id, sessionId } = personOf(identity, request);
  const { currentPassword } = parseBody(passwordBody, body);
  await provingPassword({ identity, request, attempts, sessionId }, () =>
    identity.signIn.assertPassword(id, currentPassword),
  );
}

/** @throws GantryError CONFLICT where browsers offer no passkeys */
function assertSite(site: PasskeySite | undefined): PasskeySite {
  if (site !== undefined) return site;
  throw new GantryError(
    'CONFLICT',
    'Passkeys need a host name and https: set GANTRY_PUBLIC_URL to an address such as https://cms.example.com.',
  );
}

async function record(identity: Identity, request: IncomingMessage, action: string, passkeyId: string): Promise<void> {
  const { id } = personOf(identity, request);
  await recordAction(identity, request, { action, subject: `user:${id}`, detail: { passkey: passkeyId } });
}
