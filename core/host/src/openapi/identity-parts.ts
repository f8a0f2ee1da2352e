import type { Operation, Parameter, Responses, Schema } from './document';

export const text: Schema = { type: 'string' };
export const instant: Schema = { type: 'string', format: 'date-time' };
/** Of what outlasts the credential of a request. */
export const lasting =
  'Needs a proof of presence within 10 minutes (`PRESENCE_REQUIRED`, `POST /api/platform/account/presence`), or an API token with `managesAccounts`.';
/** Of a user. */
export const identityProvider: Schema = {
  type: ['string', 'null'],
  description: 'Issuer of the identity provider by which the person signs in; null for others.',
};
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

export const passkeyRegistration: Schema = {
  type: 'object',
  required: ['id', 'rawId', 'type', 'response'],
  properties: {
    id: credentialId,
    rawId: credentialId,
    type: publicKeyType,
    response: {
      type: 'object',
      required: ['clientDataJSON', 'attestationObject'],
      properties: {
        clientDataJSON: { ...bytes, maxLength: 8_192 },
        attestationObject: { ...bytes, maxLength: 65_536 },
        transports: { type: 'array', maxItems: 10, items: { ...text, pattern: '^[a-z-]{1,30}$' } },
      },
    },
  },
  description: 'The RegistrationResponseJSON of WebAuthn.',
};

export const idParameter: Parameter = { name: 'id', in: 'path', required: true, schema: text, description: 'Id.' };

const managesAccounts: Schema = {
  type: 'boolean',
  description:
    'Whether it may change users, roles, API tokens and webhooks, and install and upgrade packages of plugins, as far as its roles allow that.',
};

export const token: Schema = {
  type: 'object',
  required: ['id', 'userId', 'name', 'roles', 'managesAccounts', 'createdAt', 'expiresAt', 'lastUsedAt'],
  properties: {
    id: { ...text, description: 'The part of the token by which it is recognised; not secret.' },
    userId: text,
    name: text,
    roles: { type: ['array', 'null'], items: text, description: 'Null for all roles of the user.' },
    managesAccounts,
    createdAt: instant,
    expiresAt: instant,
    lastUsedAt: { type: ['string', 'null'], format: 'date-time', description: 'Up to a minute old.' },
  },
};
export const createdToken: Schema = {
  allOf: [
    token,
    { type: 'object', required: ['token'], properties: { token: { ...text, description: 'Shown once.' } } },
  ],
};
export const tokenBody = body(
  {
    name: { ...text, minLength: 1, maxLength: 100, pattern: String.raw`\S` },
    expiresInDays: { type: 'integer', minimum: 1, maximum: 3_650, default: 90 },
    roles: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: { ...text, pattern: '^[a-z][a-z0-9-]{0,59}$' },
      description: 'Some of the roles of the user; all unless given. An administrator may name any.',
    },
    managesAccounts: { ...managesAccounts, default: false },
  },
  ['name'],
);

export function operation(operationId: string, summary: string, responses: Responses): Operation {
  return { operationId, tags: ['platform'], summary, responses };
}

/** What works on after a password was reset, or a user was deleted. */
export const remaining: Schema = {
  type: 'object',
  required: ['tokens', 'webhooks', 'created'],
  properties: {
    tokens: { type: 'array', items: token },
    webhooks: {
      type: 'array',
      items: { type: 'object', required: ['id', 'name', 'url'], properties: { id: text, name: text, url: text } },
      description: 'Those that the user has created.',
    },
    created: {
      type: 'object',
      required: ['users', 'roles', 'tokens'],
      properties: {
        users: {
          type: 'array',
          items: { type: 'object', required: ['id', 'login'], properties: { id: text, login: text } },
        },
        roles: {
          type: 'array',
          items: { type: 'object', required: ['name', 'displayName'], properties: { name: text, displayName: text } },
        },
        tokens: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'name', 'login'],
            properties: { id: text, name: text, login: text },
          },
          description: 'API tokens of other users.',
        },
      },
      description:
        'What still exists of the users, roles and API tokens that the user has created for others, by the audit log.',
    },
  },
  description: 'API tokens and webhooks of the user that work on, and what the user has created for others.',
};
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
