import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { encodeCbor } from './encode-cbor';

/** A browser with an authenticator, as far as the platform sees them; each part can be made wrong. */
export interface AssertionChanges {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly signCount?: number;
  readonly flags?: number;
  /** Id of the credential that the answer claims to be of. */
  readonly id?: string;
}

export interface RegistrationChanges extends AssertionChanges {
  /** Format and statement; `self` is signed with the key of the passkey. */
  readonly attestation?: object | 'self';
}

/** Options of the platform, as far as an authenticator needs them. */
interface CeremonyOptions {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
}

export interface RegistrationJson {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: string[];
  };
  readonly clientExtensionResults: object;
}

export interface AssertionJson {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
  };
  readonly clientExtensionResults: object;
}

export interface SoftwareAuthenticator {
  readonly id: string;
  /** Makes the credential (WebAuthn: create). */
  create(options: unknown, changes?: RegistrationChanges): RegistrationJson;
  /** Signs a challenge (WebAuthn: get). The counter goes up by one each time, unless given. */
  get(options: unknown, changes?: AssertionChanges): AssertionJson;
}

const userPresent = 0x01;
const hasCredential = 0x40;

/** @param origin of the page. @param countsUp false for an authenticator without a counter, which always sends 0 */
export function createSoftwareAuthenticator(origin: string, countsUp = true): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let count = 0;
  const clientData = (type: string, { challenge }: CeremonyOptions, changes: AssertionChanges): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: changes.type ?? type,
        challenge: changes.challenge ?? challenge,
        origin: changes.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (rpId: string, changes: AssertionChanges, flags: number, rest: Buffer): Buffer => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(changes.signCount ?? count);
    const bits = Buffer.from([changes.flags ?? flags]);
    return Buffer.concat([hash(Buffer.from(changes.rpId ?? rpId)), bits, counter, rest]);
  };
  return {
    id,
    create(given, changes = {}) {
      const options = given as CeremonyOptions;
      const client = clientData('webauthn.create', options, changes);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)]);
      const authData = authenticatorData(options.rp?.id ?? '', changes, userPresent | hasCredential, credential);
      const sig = (): Buffer => sign('sha256', Buffer.concat([authData, hash(client)]), privateKey);
      const attestation =
        changes.attestation === 'self'
          ? { fmt: 'packed', attStmt: new Map(Object.entries({ alg: -7, sig: sig() })) }
          : (changes.attestation ?? { fmt: 'none', attStmt: new Map() });
      return {
        ...named(changes.id ?? id),
        response: {
          clientDataJSON: client.toString('base64url'),
          attestationObject: encodeCbor(new Map(Object.entries({ ...attestation, authData }))).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    get(given, changes = {}) {
      const options = given as CeremonyOptions;
      if (countsUp) count += 1;
      const client = clientData('webauthn.get', options, changes);
      const data = authenticatorData(options.rpId ?? '', changes, userPresent, Buffer.alloc(0));
      const signature = sign('sha256', Buffer.concat([data, hash(client)]), privateKey);
      return {
        ...named(changes.id ?? id),
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}

function named(id: string) {
  return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
}

function hash(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** An EC2 key on P-256 for ES256 (RFC 9053). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const members: readonly (readonly [number, number | Buffer])[] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ];
  return encodeCbor(new Map(members));
}
