import type { Operation, Responses, Schema } from './document';

export const text: Schema = { type: 'string' };
/** Of what outlasts the credential of a request. */
export const lasting =
  'Needs a proof of presence within 10 minutes (`PRESENCE_REQUIRED`, `POST /api/platform/account/presence`), or an API token with `managesAccounts`.';
export const noContent: Responses = { 204: { description: 'Done.' } };
/** Bodies with a password or a name are small. */
export const withBody = [405, 409, 413, 415] as const;

export const code: Schema = {
  ...text,
  minLength: 1,
  maxLength: 50,
  description: 'Of the authenticator app, or a recovery code; needed after the answer SECOND_FACTOR_REQUIRED.',
};

const bytes: Schema = { ...text, minLength: 1, pattern: '^[A-Za-z0-9_-]+$' };
const credentialId: Schema = { ...bytes, maxLength: 1_364 };
const publicKeyType: Schema = { enum: ['public-key'] };

/** Browsers may add members, which are ignored. */
export const passkey: Schema = {
  type: 'object',
  required: ['id', 'rawId', 'type', 'response'],
  properties: {
    id: credentialId,
    rawId: credentialId,
    type: publicKeyType,
    response: {
      type: 'object',
      required: ['clientDataJSON', 'authenticatorData', 'signature'],
      properties: {
        clientDataJSON: { ...bytes, maxLength: 8_192 },
        authenticatorData: { ...bytes, maxLength: 4_096 },
        signature: { ...bytes, maxLength: 4_096 },
      },
    },
  },
  description:
    'Instead of a code: the AuthenticationResponseJSON of WebAuthn for the options in the answer SECOND_FACTOR_REQUIRED.',
};

export function operation(operationId: string, summary: string, responses: Responses): Operation {
  return { operationId, tags: ['platform'], summary, responses };
}

/** What of it is to end. */
export const endedAccess = {
  revokeTokens: { type: 'boolean', default: false, description: 'Ends the API tokens of the user.' },
  deleteWebhooks: { type: 'boolean', default: false, description: 'Deletes the webhooks that the user has created.' },
} as const;

export function body(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
) {
  const schema = { type: 'object', additionalProperties: false, required, properties };
  return { required: true, content: { 'application/json': { schema } } };
}
