import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import {
  lineOfText,
  registrationInput,
  type AccountChange,
  type Identity,
  type Passkey,
  type PasskeySite,
} from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import type { PathHandlers } from '../exchange/routes';
import { sendData } from '../exchange/send';
import type { AttemptLimit } from './attempt-limit';
import { ownerOf, personOf, provingPassword, type AccountOwner } from './own-account';

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
      const owner = ownerOf(identity, request);
      const { id } = owner;
      await withPassword(dependencies, attempts, request, owner, await readJson(request, response));
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
      const { id, sessionId, author } = ownerOf(identity, request);
      const wanted = parseBody(addBody, await readJson(request, response));
      const site = assertSite(passkeySite);
      await attempts.begin(sessionId);
      const verified = await identity.passkeys.verify(id, wanted, site);
      const { passkey, recoveryCodes } = await identity.change(author, async (change) => {
        const added = await change.passkeys.add(id, verified);
        await change.sessions.removeOthers(id, sessionId);
        await record(change, id, 'passkey-added', added.passkey);
        return added;
      });
      await attempts.succeed(sessionId);
      sendData(response, 201, JSON.stringify({ ...passkey, recoveryCodes }));
    },
  };
}

/** PATCH renames a passkey, DELETE removes it. */
export function passkeyPath(dependencies: PasskeyRouteDependencies, attempts: AttemptLimit): PathHandlers<IdParams> {
  const { identity, readJson } = dependencies;
  return {
    async patch(request, response) {
      const { id, author } = ownerOf(identity, request);
      const { name } = parseBody(renameBody, await readJson(request, response));
      const passkey = await identity.change(author, async (change) => {
        const renamed = await change.passkeys.rename(id, request.params.id, name);
        await record(change, id, 'passkey-renamed', renamed);
        return renamed;
      });
      sendData(response, 200, JSON.stringify(passkey));
    },
    async delete(request, response) {
      const owner = ownerOf(identity, request);
      await withPassword(dependencies, attempts, request, owner, await readJson(request, response));
      await identity.change(owner.author, async (change) => {
        const removed = await change.passkeys.remove(owner.id, request.params.id);
        await record(change, owner.id, 'passkey-removed', removed);
      });
      response.status(204).end();
    },
  };
}

async function withPassword(
  { identity }: PasskeyRouteDependencies,
  attempts: AttemptLimit,
  request: IncomingMessage,
  { id, sessionId }: AccountOwner,
  body: unknown,
): Promise<void> {
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

async function record(
  change: Pick<AccountChange, 'record'>,
  userId: string,
  action: string,
  { id }: Passkey,
): Promise<void> {
  await change.record({ action, subject: `user:${userId}`, detail: { passkey: id } });
}
