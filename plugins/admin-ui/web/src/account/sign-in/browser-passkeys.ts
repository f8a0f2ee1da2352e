import type { SecondFactorQuestion } from '@gantry/contracts';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';

export type PasskeyQuestion = NonNullable<SecondFactorQuestion['passkey']>;

/** Why a passkey cannot be used or made; the message is for the reader. */
export class PasskeyFailure extends Error {
  override readonly name = 'PasskeyFailure';

  constructor(
    message: string,
    /** Another request has taken the place of this one: there is nothing to be shown. */
    readonly isReplaced = false,
  ) {
    super(message);
  }
}

/** @returns why passkeys cannot be used on this page; undefined where they can */
export function obstacleTo(origin: string): string | undefined {
  if (origin !== location.origin) return `Passkeys work at ${origin} only.`;
  if (!('PublicKeyCredential' in globalThis)) return 'This browser does not support passkeys.';
  return undefined;
}

/** Asks the browser for one of the passkeys. @throws PasskeyFailure */
export async function readPasskey({ options }: PasskeyQuestion): Promise<AuthenticationResponseJSON> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return withSentences(optionsJSON.timeout, () => startAuthentication({ optionsJSON }));
}

/** Has the browser make a passkey. @throws PasskeyFailure */
export async function makePasskey(options: object): Promise<RegistrationResponseJSON> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  const { startRegistration } = await import('@simplewebauthn/browser');
  return withSentences(optionsJSON.timeout, () => startRegistration({ optionsJSON }));
}

/** Ends a request that the browser still shows, if there is one. */
export async function cancelPasskey(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser');
  WebAuthnAbortService.cancelCeremony();
}

async function withSentences<T>(timeoutMs = Infinity, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } catch (error) {
    const isLate = performance.now() - began >= timeoutMs;
    throw failureOf(error instanceof Error ? error : new Error(String(error)), isLate);
  }
}

/** A browser does not say whether a request was cancelled or no passkey was found: sites must not find out. */
function failureOf(error: Error, isLate: boolean): PasskeyFailure {
  const code = 'code' in error ? error.code : undefined;
  const name = error.cause instanceof Error ? error.cause.name : error.name;
  if (code === 'ERROR_CEREMONY_ABORTED') return new PasskeyFailure('The request was replaced.', true);
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
    return new PasskeyFailure('This device has a passkey for this account already.');
  }
  if (name === 'NotAllowedError' && isLate) {
    return new PasskeyFailure('The passkey was not used in time. Try again.');
  }
  if (name === 'NotAllowedError') {
    return new PasskeyFailure('No passkey was used: the request was cancelled, or this device has none that fits.');
  }
  if (name === 'SecurityError') return new PasskeyFailure('The browser allows no passkeys at this address.');
  return new PasskeyFailure(`The passkey could not be used: ${error.message}`);
}
