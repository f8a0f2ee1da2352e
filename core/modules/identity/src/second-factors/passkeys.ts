import type { Database } from '@gantry/plugin-api';
import { GantryError, invalidValue } from '@gantry/plugin-api/errors';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Passkey } from '../accounts/account-schemas';
import { addFactor, removeFactor } from './change-factors';
import { challengeMinutes, createChallenge, useChallenge, type ChallengePurpose } from './passkey-challenges';
import type { Assertion, Registration } from './passkey-input';
import type { PasskeySite } from './passkey-site';
import {
  algorithms,
  challengeOf,
  verifyAssertion,
  verifyRegistration,
  type VerifiedRegistration,
} from './verify-passkey';

export interface PasskeyOwner {
  readonly userId: string;
  readonly login: string;
}

export interface NewPasskey {
  readonly name?: string | undefined;
  readonly registration: Registration;
}

/** A passkey whose registration is right. */
export interface VerifiedPasskey extends NewPasskey {
  readonly verified: VerifiedRegistration;
  readonly site: PasskeySite;
}

export interface AddedPasskey {
  readonly passkey: Passkey;
  /** Shown once; empty unless the passkey is the first second factor. */
  readonly recoveryCodes: readonly string[];
}

/** `copied`: the signature counter went back, as that of a copied authenticator does. */
export type AssertionResult = 'accepted' | 'refused' | 'copied';

/** Passkeys (WebAuthn) as a second factor. */
export interface Passkeys {
  list(userId: string): Promise<readonly Passkey[]>;
  /** The options with which a browser makes a passkey. @throws GantryError CONFLICT with 10 passkeys */
  beginRegistration(owner: PasskeyOwner, site: PasskeySite): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** Its challenge is used in any case. @throws GantryError VALIDATION_FAILED for a registration that is not right */
  verify(userId: string, passkey: NewPasskey, site: PasskeySite): Promise<VerifiedPasskey>;
  /** @throws GantryError CONFLICT with 10 passkeys, or for one that is set up already */
  add(userId: string, passkey: VerifiedPasskey): Promise<AddedPasskey>;
  /** @throws GantryError NOT_FOUND */
  rename(userId: string, id: string, name: string): Promise<Passkey>;
  /** @throws GantryError NOT_FOUND */
  remove(userId: string, id: string): Promise<Passkey>;
  /** The options with which a browser uses a passkey. @returns undefined for a person without one that is valid at the site */
  beginAssertion(
    userId: string,
    purpose: ChallengePurpose,
    site: PasskeySite,
  ): Promise<PublicKeyCredentialRequestOptionsJSON | undefined>;
  /** Whether the assertion is right; its challenge is used in any case. */
  accept(userId: string, purpose: ChallengePurpose, assertion: Assertion, site: PasskeySite): Promise<AssertionResult>;
}

interface PasskeyRow extends Omit<Passkey, 'createdAt' | 'lastUsedAt'> {
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

interface CredentialRow {
  readonly id: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly transports: string[];
}

const maxPasskeys = 10;
const columns = `id::text, name, rp_id AS host, created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

export function createPasskeys(database: Database, installationId: string): Passkeys {
  return {
    list: (userId) => listPasskeys(database, userId),
    async beginRegistration({ userId, login }, site) {
      const known = await listPasskeys(database, userId);
      if (known.length >= maxPasskeys) throw tooMany();
      const { generateRegistrationOptions } = await import('@simplewebauthn/server');
      return generateRegistrationOptions({
        rpName: 'Gantry',
        rpID: site.host,
        userName: login,
        userDisplayName: login,
        // Platforms at localhost share the host name: an authenticator keeps one passkey for each user of each of them.
        userID: new Uint8Array(Buffer.from(`${installationId}:${userId}`)),
        challenge: Buffer.from(await createChallenge(database, userId, 'registration'), 'base64url').subarray(),
        timeout: challengeMinutes * 60_000,
        attestationType: 'none',
        excludeCredentials: describe(await readCredentials(database, userId, site)),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        supportedAlgorithmIDs: algorithms,
      });
    },
    verify: (userId, passkey, site) => verifyPasskey(database, userId, passkey, site),
    async add(userId, passkey) {
      const { added, recoveryCodes } = await addFactor(database, userId, (transaction) =>
        insertPasskey(transaction, userId, passkey),
      );
      return { passkey: added, recoveryCodes };
    },
    rename: async (userId, id, name) =>
      one(
        await database.query<PasskeyRow>(
          `UPDATE gantry_passkey SET name = $3 WHERE user_id = $1 AND id = $2 RETURNING ${columns}`,
          [userId, parseId(id), name],
        ),
      ),
    remove: (userId, id) =>
      removeFactor(database, userId, async (transaction) =>
        one(
          await transaction.query<PasskeyRow>(
            `DELETE FROM gantry_passkey WHERE user_id = $1 AND id = $2 RETURNING ${columns}`,
            [userId, parseId(id)],
          ),
        ),
      ),
    async beginAssertion(userId, purpose, site) {
      const credentials = await readCredentials(database, userId, site);
      if (credentials.length === 0) return undefined;
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
      return generateAuthenticationOptions({
        rpID: site.host,
        challenge: Buffer.from(await createChallenge(database, userId, purpose), 'base64url').subarray(),
        timeout: challengeMinutes * 60_000,
        userVerification: 'preferred',
        allowCredentials: describe(credentials),
      });
    },
    accept: (userId, purpose, assertion, site) => acceptAssertion(database, { userId, purpose, assertion, site }),
  };
}

async function verifyPasskey(
  database: Database,
  userId: string,
  { name, registration }: NewPasskey,
  site: PasskeySite,
): Promise<VerifiedPasskey> {
  const challenge = challengeOf(registration.response.clientDataJSON);
  if (challenge === undefined || !(await useChallenge(database, userId, 'registration', challenge))) {
    throw wrongRegistration('The setup of the passkey has expired or was finished before. Begin it again');
  }
  const verified = await verifyRegistration(registration, challenge, site);
  if (verified === undefined) throw wrongRegistration('The passkey could not be verified. Begin the setup again');
  return { name, registration, verified, site };
}

async function insertPasskey(
  transaction: Database,
  userId: string,
  { name, registration, verified, site }: VerifiedPasskey,
): Promise<Passkey> {
  const known = await listPasskeys(transaction, userId);
  if (known.length >= maxPasskeys) throw tooMany();
  const [row] = await transaction.query<PasskeyRow>(
    `INSERT INTO gantry_passkey (user_id, credential_id, public_key, sign_count, transports, rp_id, name)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (credential_id) DO NOTHING RETURNING ${columns}`,
    [
      ...[userId, verified.credentialId, verified.publicKey, verified.signCount],
      ...[registration.response.transports ?? [], site.host, name ?? `Passkey ${known.length + 1}`],
    ],
  );
  if (row === undefined) {
    throw new GantryError('CONFLICT', 'This passkey is set up already. Use another authenticator.');
  }
  return present(row);
}

interface Proof {
  readonly userId: string;
  readonly purpose: ChallengePurpose;
  readonly assertion: Assertion;
  readonly site: PasskeySite;
}

async function acceptAssertion(
  database: Database,
  { userId, purpose, assertion, site }: Proof,
): Promise<AssertionResult> {
  const challenge = challengeOf(assertion.response.clientDataJSON);
  if (challenge === undefined || !(await useChallenge(database, userId, purpose, challenge))) return 'refused';
  const credentials = await readCredentials(database, userId, site);
  const credential = credentials.find(({ credentialId }) => credentialId === assertion.id);
  if (credential === undefined) return 'refused';
  const signCount = await verifyAssertion(assertion, challenge, site, credential);
  if (signCount === undefined) return 'refused';
  const used = await database.query(
    `UPDATE gantry_passkey SET sign_count = $2, last_used_at = now()
     WHERE id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0)) RETURNING id`,
    [credential.id, signCount],
  );
  return used.length > 0 ? 'accepted' : 'copied';
}

async function listPasskeys(database: Database, userId: string): Promise<readonly Passkey[]> {
  const rows = await database.query<PasskeyRow>(
    `SELECT ${columns} FROM gantry_passkey WHERE user_id = $1 ORDER BY gantry_passkey.id`,
    [userId],
  );
  return rows.map(present);
}

function readCredentials(database: Database, userId: string, site: PasskeySite): Promise<readonly CredentialRow[]> {
  return database.query<CredentialRow>(
    `SELECT id, credential_id AS "credentialId", public_key AS "publicKey", transports
     FROM gantry_passkey WHERE user_id = $1 AND rp_id = $2 ORDER BY id`,
    [userId, site.host],
  );
}

function describe(credentials: readonly CredentialRow[]) {
  return credentials.map(({ credentialId, transports }) => ({ id: credentialId, transports }));
}

function present({ id, name, host, createdAt, lastUsedAt }: PasskeyRow): Passkey {
  return { id, name, host, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}

function one([row]: readonly PasskeyRow[]): Passkey {
  if (row === undefined) throw notFound();
  return present(row);
}

/** @throws GantryError NOT_FOUND for what no id looks like */
function parseId(text: string): string {
  if (/^\d{1,18}$/.test(text)) return text;
  throw notFound();
}

function notFound(): GantryError {
  return new GantryError('NOT_FOUND', 'There is no such passkey.');
}

function tooMany(): GantryError {
  return new GantryError('CONFLICT', `An account has at most ${maxPasskeys} passkeys. Remove one first.`);
}

function wrongRegistration(message: string): GantryError {
  return invalidValue('registration', message);
}
