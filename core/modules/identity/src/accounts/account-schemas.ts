import type { Immutable } from '@gantry/plugin-api';
import { z } from 'zod';
import { instant, lineOfText } from '@gantry/core-common';
import { roleName } from '../roles/role-name';

const identityProvider = z
  .string()
  .nullable()
  .describe('Issuer of the identity provider with which the person signs in; otherwise null.');

/** A person who signs in, or a service account, which holds API tokens only. */
export const user = z
  .object({
    id: z.string(),
    login: z.string().describe('Email address of a person in lower case, name of a service account. Unique.'),
    displayName: z.string(),
    kind: z.enum(['person', 'service']),
    roles: z.array(z.string()),
    isEnabled: z.boolean(),
    hasPassword: z.boolean().describe('False for a person who has not used the one-time link yet.'),
    identityProvider,
    createdAt: instant,
  })
  .meta({ id: 'User', description: 'A person or a service account.' });

export const createdUser = user
  .extend({
    link: z
      .string()
      .exactOptional()
      .describe('One-time link with which the person sets a password. Shown once; absent for a service account.'),
    linkExpiresAt: instant.exactOptional(),
  })
  .meta({ id: 'CreatedUser', description: 'The user.' });

const managesAccounts = z
  .boolean()
  .describe(
    'True for a token that may change users, roles, API tokens and webhooks, and install and upgrade packages of plugins, as far as its roles allow that.',
  );

export const apiToken = z
  .object({
    id: z.string().describe('The part of the token by which it is recognised; not secret.'),
    userId: z.string(),
    name: z.string(),
    roles: z.array(z.string()).nullable().describe('Null for all roles of the user.'),
    managesAccounts,
    createdAt: instant,
    expiresAt: instant,
    lastUsedAt: instant.nullable().describe('Up to a minute old; null when it was never used.'),
  })
  .meta({ id: 'ApiToken', description: 'An API token, without its secret.' });

export const createdToken = apiToken
  .extend({ token: z.string().describe('Shown once.') })
  .meta({ id: 'CreatedApiToken', description: 'An API token and its secret.' });

/** Where a person is signed in. */
export const session = z
  .object({
    id: z.string(),
    address: z.string(),
    userAgent: z.string(),
    createdAt: instant,
    lastSeenAt: instant.describe('Up to a minute old.'),
    isCurrent: z.boolean(),
  })
  .meta({ id: 'Session', description: 'A browser in which a person is signed in.' });

const caller = z
  .object({
    kind: z.enum(['local', 'person', 'service']),
    id: z.string(),
    name: z.string(),
    roles: z.array(z.string()),
    permissions: z.array(z.string()),
    viewsAs: z
      .array(z.string())
      .exactOptional()
      .describe('Roles with which an administrator views the platform; absent otherwise.'),
  })
  .meta({ id: 'Caller', description: 'The caller of a request.' });

const sessionMembers = z.object({
  mode: z.enum(['open', 'sign-in']).describe('`open`: sign-in is off, and the platform serves its own machine only.'),
  identityProvider: z
    .object({ name: z.string() })
    .nullable()
    .describe('Name on the button for sign-in with the identity provider; null while none is configured.'),
});

export const sessionState = sessionMembers
  .extend({ user: caller.nullable().describe('Null for a request without a credential.') })
  .meta({ id: 'SessionState', description: 'The mode of the platform and the caller.' });

export const openedSession = sessionMembers
  .extend({ user: caller })
  .meta({ id: 'OpenedSession', description: 'A session was opened.' });

export const passkeyName = lineOfText('name', 100).meta({ minLength: 1, maxLength: 100, pattern: String.raw`\S` });

/** A passkey as its owner sees it. */
export const passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    host: z.string().describe('Host name at which it is valid.'),
    createdAt: instant,
    lastUsedAt: instant.nullable(),
  })
  .meta({ id: 'Passkey', description: 'A passkey.' });

export const addedPasskey = passkey
  .extend({
    recoveryCodes: z
      .array(z.string())
      .describe('Recovery codes, shown once, when this is the first second factor; otherwise empty.'),
  })
  .meta({ id: 'AddedPasskey', description: 'The passkey, and recovery codes.' });

/** Unless the caller says otherwise. */
const defaultTokenDays = 90;

/** An API token to be made. */
export const newTokenInput = z.strictObject({
  name: lineOfText('name', 100).meta({ minLength: 1, maxLength: 100, pattern: String.raw`\S` }),
  expiresInDays: z.int().min(1).max(3_650).default(defaultTokenDays),
  roles: z
    .array(roleName)
    .min(1)
    .max(50)
    .exactOptional()
    .describe('Some of the roles of the user; all unless given. An administrator may name any role.'),
  managesAccounts: managesAccounts.exactOptional().meta({ default: false }),
});

export type SessionState = Immutable<z.infer<typeof sessionState>>;
export type OpenedSession = Immutable<z.infer<typeof openedSession>>;
export type User = Immutable<z.infer<typeof user>>;
export type Session = Immutable<z.infer<typeof session>>;
export type Passkey = Immutable<z.infer<typeof passkey>>;
export type ApiToken = Immutable<z.infer<typeof apiToken>>;
export type CreatedToken = Immutable<z.infer<typeof createdToken>>;
export type NewApiToken = Immutable<z.infer<typeof newTokenInput>>;
