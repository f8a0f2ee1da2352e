import type { Database } from '@gantry/plugin-api';
import { GantryError } from '@gantry/plugin-api/errors';
import { z } from 'zod';
import { lineOfText, reseal, type SecretBox } from '@gantry/core-common';
import { lockSetting, readSetting, writeSetting } from '@gantry/core-database';

const shared = {
  issuer: z.string(),
  clientId: z.string(),
  /** Shown on the button to sign in. */
  name: z.string(),
  groupsClaim: z.string(),
  roles: z.array(z.strictObject({ group: z.string(), role: z.string() })),
  /** Of persons without a group that has a role. */
  defaultRole: z.string().optional(),
  linksByEmail: z.boolean(),
};
const storedSettings = z.object({ ...shared, encryptedSecret: z.string() });
const shownSettings = z.object(shared);

type Stored = Readonly<z.infer<typeof storedSettings>>;

/** How people sign in by an identity provider, without the secret of the client. */
export type OidcSettings = Readonly<z.infer<typeof shownSettings>>;

/** Settings with which requests to the provider are made. */
export type OidcClient = OidcSettings & { readonly clientSecret: string };

export const settingName = 'oidc';
const sealContext = 'oidc-client-secret';

/** @returns undefined while no provider is configured */
export async function readOidcSettings(database: Database): Promise<OidcSettings | undefined> {
  return shownSettings.optional().parse(await readSetting(database, settingName));
}

/**
 * The settings with the secret.
 * @throws GantryError UNAVAILABLE when the key that encrypted the secret is missing
 */
export async function readOidcClient(database: Database, secretBox: SecretBox): Promise<OidcClient | undefined> {
  const stored: Stored | undefined = storedSettings.optional().parse(await readSetting(database, settingName));
  if (stored === undefined) return undefined;
  const { encryptedSecret, ...settings } = stored;
  return { ...settings, clientSecret: openSecret(secretBox, encryptedSecret) };
}

function openSecret(secretBox: SecretBox, encrypted: string): string {
  try {
    return secretBox.open(encrypted, sealContext);
  } catch (error) {
    throw new GantryError(
      'UNAVAILABLE',
      'The client secret of the identity provider cannot be decrypted: GANTRY_SECRET_KEY or the secret-key of the home is another one. Store it again with: gantry auth oidc set',
      { cause: error },
    );
  }
}

export async function writeOidcClient(database: Database, secretBox: SecretBox, client: OidcClient): Promise<void> {
  const { clientSecret, ...settings } = client;
  const stored: Stored = { ...settings, encryptedSecret: secretBox.seal(clientSecret, sealContext) };
  await writeSetting(database, settingName, stored);
}

/** Encrypts the secret with the newest key. @returns whether it could be decrypted; nothing where there is none */
export async function resealOidcClient(transaction: Database, box: SecretBox): Promise<readonly boolean[]> {
  await lockSetting(transaction, settingName);
  const stored: Stored | undefined = storedSettings.optional().parse(await readSetting(transaction, settingName));
  if (stored === undefined) return [];
  const encryptedSecret = reseal(box, stored.encryptedSecret, sealContext);
  if (encryptedSecret === undefined) return [false];
  await writeSetting(transaction, settingName, { ...stored, encryptedSecret });
  return [true];
}

const inputSchema = z.strictObject({
  issuer: z.string().max(500),
  clientId: lineOfText('The client id', 300),
  clientSecret: lineOfText('The client secret', 1_000),
  name: lineOfText('The name', 60),
  groupsClaim: lineOfText('The groups claim', 200),
  roles: z.array(z.strictObject({ group: lineOfText('A group', 300), role: z.string() })).max(500),
  defaultRole: z.string().optional(),
  linksByEmail: z.boolean(),
});

/** @throws GantryError VALIDATION_FAILED */
export function parseOidcClient(input: OidcClient): OidcClient {
  const { data, error } = inputSchema.safeParse(input);
  if (error !== undefined) throw invalid(error.issues[0]?.message ?? 'The settings are not valid');
  assertIssuer(data.issuer);
  if (data.roles.length === 0 && data.defaultRole === undefined) {
    throw invalid('No role is given: map a group to a role, or name a default role');
  }
  if (data.defaultRole === 'administrator') {
    throw invalid(
      'The default role must not be administrator: it is given to everyone whom the provider knows. Map a group',
    );
  }
  return data;
}

/** Only an issuer of this machine may be without TLS. */
function assertIssuer(issuer: string): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url === undefined || !isHttp(url)) throw invalid('The issuer must be a URL such as https://login.example.com');
  if (url.username !== '' || url.password !== '' || /[?#\s]/.test(issuer)) {
    throw invalid('The issuer must be a URL without a user, a query and a fragment');
  }
  if (!isProtected(url)) throw invalid('The issuer must begin with https://; http is for issuers on this machine only');
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** Whether what is sent to the address cannot be read on the way to it. */
export function isProtected({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

function invalid(message: string): GantryError {
  return new GantryError('VALIDATION_FAILED', `${message}.`);
}
