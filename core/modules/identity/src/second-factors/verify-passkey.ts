import type { Assertion, Registration } from './passkey-input';
import type { PasskeySite } from './passkey-site';

/** The stored part of a passkey that a browser has made. */
export interface VerifiedRegistration {
  readonly credentialId: string;
  /** COSE key in base64url. */
  readonly publicKey: string;
  readonly signCount: number;
}

/** ES256, EdDSA and RS256 (COSE): what authenticators offer and every supported version of Node verifies. */
export const algorithms = [-7, -8, -257];

/** @returns the challenge that a browser has answered; undefined for what no browser sends */
export function challengeOf(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as {
      readonly challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** The library throws for everything that is not right; the input may be anything. @returns undefined then */
export async function verifyRegistration(
  registration: Registration,
  challenge: string,
  site: PasskeySite,
): Promise<VerifiedRegistration | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  if (!(await isUnattested(registration.response.attestationObject))) return undefined;
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...registration, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    if (registrationInfo === undefined) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), signCount: counter };
  } catch {
    return undefined;
  }
}

/**
 * The platform asks for no attestation. Certificates in one would make the library request addresses that they name.
 * A self-signed one (`packed` without certificates) reaches the platform unchanged.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
    const format = decoded.get('fmt');
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  } catch {
    return false;
  }
}

/** A stored passkey. */
export interface PasskeyKey {
  readonly credentialId: string;
  readonly publicKey: string;
}

/** The signature counter is compared by the caller. @returns its value; undefined for an assertion that is not right */
export async function verifyAssertion(
  assertion: Assertion,
  challenge: string,
  site: PasskeySite,
  { credentialId, publicKey }: PasskeyKey,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: false,
      credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
