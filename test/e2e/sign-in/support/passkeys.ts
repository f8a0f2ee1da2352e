import { sendJson, type Answer } from '../../../support/rest-client';
import { password, sendAs } from './accounts';
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from '../../../support/software-authenticator';

const account = '/api/platform/account';

/** The origin of the pages of a test host, where passkeys are valid. */
export function originOf({ port }: { readonly port: number }): string {
  return `http://localhost:${port}`;
}

/** Begins the setup of a passkey. @returns what a browser needs */
export function beginPasskey(address: string, session: string, currentPassword: unknown = password): Promise<Answer> {
  return sendAs(address, session, 'POST', `${account}/passkey-registration`, { currentPassword });
}

/** Finishes the setup of a passkey. */
export function addPasskey(address: string, session: string, body: object): Promise<Answer> {
  return sendAs(address, session, 'POST', `${account}/passkeys`, body);
}

export interface AddedPasskey {
  readonly authenticator: SoftwareAuthenticator;
  readonly id: string;
  readonly recoveryCodes: readonly string[];
}

/** Sets up a passkey for the account of a session. @throws when the platform refuses it */
export async function setUpPasskey(
  host: { readonly address: string; readonly port: number },
  session: string,
  countsUp = true,
): Promise<AddedPasskey> {
  const authenticator = createSoftwareAuthenticator(originOf(host), countsUp);
  const begun = await beginPasskey(host.address, session);
  const registration = authenticator.create(begun.json.data);
  const added = await addPasskey(host.address, session, { registration });
  if (added.status !== 201) throw new Error(added.text);
  const { id, recoveryCodes } = added.json.data as AddedPasskey;
  return { authenticator, id, recoveryCodes };
}

/** Signs in as far as the password. @returns what a browser needs to use a passkey */
export async function askForPasskey(address: string, login: string): Promise<unknown> {
  const { json } = await sendJson(address, 'POST', '/api/platform/session', { login, password });
  return json.error.secondFactor.passkey.options as unknown;
}
