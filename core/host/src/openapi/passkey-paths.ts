import { envelope, jsonResponse, type PathItem, type Paths, type Schema } from './document';
import { errorsWith } from './error-responses';
import {
  body,
  idParameter,
  instant,
  noContent,
  operation,
  passkeyRegistration,
  text,
  withBody,
  lasting,
} from './identity-parts';

const passkeyProperties = {
  id: text,
  name: text,
  host: { ...text, description: 'Host name at which it is valid.' },
  createdAt: instant,
  lastUsedAt: { type: ['string', 'null'], format: 'date-time' },
} as const satisfies Readonly<Record<string, Schema>>;
const ownPasskey = objectOf(passkeyProperties);
const currentPassword = body({ currentPassword: { ...text, maxLength: 1_024 } });
const name: Schema = { ...text, minLength: 1, maxLength: 100, pattern: String.raw`\S` };

const registrationPath: PathItem = {
  post: {
    ...operation('beginPasskey', 'Begin the setup of a passkey', {
      200: jsonResponse(
        'The PublicKeyCredentialCreationOptionsJSON of WebAuthn, valid for 5 minutes.',
        envelope({ type: 'object' }),
      ),
      ...errorsWith(...withBody, 429),
    }),
    requestBody: currentPassword,
  },
};

/** Passkeys of the caller. */
export function passkeyPaths(): Paths {
  return {
    '/api/platform/account/passkey-registration': registrationPath,
    '/api/platform/account/passkeys': {
      get: operation('listPasskeys', 'The passkeys of the caller', {
        200: jsonResponse(
          'The oldest first.',
          envelope(
            objectOf({
              origin: {
                type: ['string', 'null'],
                description: 'Origin of the pages on which passkeys are valid; null where there are none.',
              },
              passkeys: { type: 'array', items: ownPasskey },
            }),
          ),
        ),
        ...errorsWith(405, 409),
      }),
      post: {
        ...operation('addPasskey', 'Finish the setup of a passkey; other sessions of the person end', {
          201: jsonResponse(
            'The passkey, and recovery codes if it is the first second factor, shown once.',
            envelope(objectOf({ ...passkeyProperties, recoveryCodes: { type: 'array', items: text } })),
          ),
          ...errorsWith(...withBody, 429),
        }),
        description: lasting,
        requestBody: body({ name, registration: passkeyRegistration }, ['registration']),
      },
    },
    '/api/platform/account/passkeys/{id}': {
      parameters: [idParameter],
      patch: {
        ...operation('renamePasskey', 'Rename a passkey', {
          200: jsonResponse('The passkey.', envelope(ownPasskey)),
          ...errorsWith(404, ...withBody),
        }),
        requestBody: body({ name }),
      },
      delete: {
        ...operation('removePasskey', 'Remove a passkey; the recovery codes are removed with the last second factor', {
          ...noContent,
          ...errorsWith(404, ...withBody, 429),
        }),
        requestBody: currentPassword,
      },
    },
  };
}

function objectOf(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', required: Object.keys(properties), properties };
}
