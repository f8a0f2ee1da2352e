import { z } from 'zod';

/** Bytes as WebAuthn writes them in JSON. */
function bytes(maxLength: number) {
  return z
    .string({ error: 'must be base64url text' })
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'must be base64url text' })
    .max(maxLength);
}

/** A credential id has at most 1,023 bytes. */
const credentialId = bytes(1_364);
const type = z.literal('public-key');

/** Members that are of no use to the platform, such as results of extensions, are ignored: browsers add some. */
export const assertionInput = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type,
    response: z.object({
      clientDataJSON: bytes(8_192),
      authenticatorData: bytes(4_096),
      signature: bytes(4_096),
    }),
  })
  .meta({
    id: 'PasskeyAssertion',
    description:
      'Instead of a code: the AuthenticationResponseJSON of WebAuthn for the options in the answer SECOND_FACTOR_REQUIRED.',
  });

/** Proof that a passkey of the person is there (AuthenticationResponseJSON). */
export type Assertion = z.infer<typeof assertionInput>;

export const registrationInput = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type,
    response: z.object({
      clientDataJSON: bytes(8_192),
      attestationObject: bytes(65_536),
      transports: z
        .array(z.string().regex(/^[a-z-]{1,30}$/))
        .max(10)
        .exactOptional(),
    }),
  })
  .meta({ id: 'PasskeyRegistration', description: 'The RegistrationResponseJSON of WebAuthn.' });

/** A passkey that a browser has made (RegistrationResponseJSON). */
export type Registration = z.infer<typeof registrationInput>;
