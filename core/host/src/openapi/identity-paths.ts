import { envelope, jsonResponse, type Paths, type Schema } from './document';
import { accountPaths } from './account-paths';
import { oidcPaths } from './oidc-paths';
import { errorsWith } from './error-responses';
import { roleName, rolePaths } from './role-paths';
import {
  body,
  code,
  createdToken,
  endedAccess,
  idParameter,
  identityProvider,
  instant,
  lasting,
  noContent,
  operation,
  passkey,
  remaining,
  text,
  token,
  tokenBody,
  withBody,
} from './identity-parts';

/** Sign-in, the own account, users and API tokens. */
export function identityPaths(): Paths {
  return {
    ...signInPaths(),
    ...oidcPaths(),
    ...accountPaths(),
    ...userPaths(),
    ...rolePaths(),
    ...tokenPaths(),
  };
}

const session: Schema = {
  type: 'object',
  required: ['mode', 'user', 'identityProvider'],
  properties: {
    mode: {
      enum: ['open', 'sign-in'],
      description: '`open`: the platform serves its own machine only, and nobody signs in.',
    },
    user: {
      oneOf: [
        {
          type: 'object',
          required: ['kind', 'id', 'name', 'roles', 'permissions'],
          properties: {
            kind: { enum: ['local', 'person', 'service'] },
            id: text,
            name: text,
            roles: { type: 'array', items: text },
            permissions: { type: 'array', items: text },
            viewsAs: { type: 'array', items: text, description: 'Set while an administrator tries out these roles.' },
          },
        },
        { type: 'null' },
      ],
    },
    identityProvider: {
      oneOf: [{ type: 'object', required: ['name'], properties: { name: text } }, { type: 'null' }],
      description: 'How the button to sign in by the identity provider is named; null while none is configured.',
    },
  },
};

function signInPaths(): Paths {
  return {
    '/api/platform/session': {
      get: operation('readSession', 'The mode of the platform, and who makes the request', {
        200: jsonResponse('`user` is null for a request without a credential.', envelope(session)),
        ...errorsWith(405),
      }),
      post: {
        ...operation('signIn', 'Sign in with a password; the session is in a cookie', {
          200: jsonResponse('A session was opened.', envelope(session)),
          ...errorsWith(...withBody, 429),
        }),
        requestBody: body(
          {
            login: { ...text, minLength: 1, maxLength: 254, description: 'Email address.' },
            password: { ...text, minLength: 1, maxLength: 1_024 },
            code,
            passkey,
          },
          ['login', 'password'],
        ),
      },
      delete: operation('signOut', 'End the session of the cookie', { ...noContent, ...errorsWith(...withBody) }),
    },
    '/api/platform/one-time-links': {
      post: {
        ...operation('setPasswordByLink', 'Set a password by the secret of a one-time link, and sign in', {
          200: jsonResponse(
            'A session was opened.',
            envelope({ allOf: [session, { type: 'object', required: ['remaining'], properties: { remaining } }] }),
          ),
          ...errorsWith(...withBody, 429),
        }),
        requestBody: body(
          {
            secret: { ...text, minLength: 1, maxLength: 100 },
            password: { ...text, minLength: 8, maxLength: 1_024 },
            code,
            passkey,
            ...endedAccess,
          },
          ['secret', 'password'],
        ),
      },
    },
  };
}

const user: Schema = {
  type: 'object',
  required: [
    ...['id', 'login', 'displayName', 'kind', 'roles', 'isEnabled', 'hasPassword', 'identityProvider', 'createdAt'],
  ],
  properties: {
    id: text,
    login: { ...text, description: 'Email address of a person, name of a service account.' },
    displayName: text,
    kind: { enum: ['person', 'service'] },
    roles: { type: 'array', items: text },
    isEnabled: { type: 'boolean' },
    hasPassword: { type: 'boolean' },
    identityProvider,
    createdAt: instant,
  },
};
const createdUser: Schema = {
  allOf: [
    user,
    {
      type: 'object',
      properties: {
        link: { ...text, description: 'With it, the person sets a password, once. Shown once; absent for a service.' },
        linkExpiresAt: instant,
      },
    },
  ],
};
const roles: Schema = { type: 'array', minItems: 1, maxItems: 50, items: roleName };
const displayName: Schema = { ...text, minLength: 1, maxLength: 200, pattern: String.raw`\S` };

function userPaths(): Paths {
  return {
    '/api/platform/users': {
      get: operation('listUsers', 'All users', {
        200: jsonResponse('The users.', envelope({ type: 'array', items: user })),
        ...errorsWith(405),
      }),
      post: {
        ...operation('createUser', 'Create a person or a service account', {
          201: jsonResponse('The user.', envelope(createdUser)),
          ...errorsWith(...withBody),
        }),
        description: lasting,
        requestBody: body(
          {
            kind: { enum: ['person', 'service'] },
            login: {
              ...text,
              description: 'Email address of a person; name of a service account, such as price-import.',
            },
            displayName,
            roles,
          },
          ['kind', 'login', 'roles'],
        ),
      },
    },
    '/api/platform/users/{id}': {
      parameters: [idParameter],
      get: operation('readUser', 'A user', { 200: jsonResponse('The user.', envelope(user)), ...errorsWith(404, 405) }),
      patch: {
        ...operation('updateUser', 'Change a user; isEnabled false ends its sessions and API tokens', {
          200: jsonResponse('The user.', envelope(user)),
          ...errorsWith(404, ...withBody),
        }),
        description: lasting,
        requestBody: body({ displayName, roles, isEnabled: { type: 'boolean' } }, []),
      },
      delete: {
        ...operation('deleteUser', 'Delete a user with its sessions and API tokens', {
          ...noContent,
          ...errorsWith(404, ...withBody),
        }),
        description: 'Other things that the user has created stay: see `/api/platform/users/{id}/remaining`.',
        parameters: [
          {
            name: 'deleteWebhooks',
            in: 'query',
            schema: { type: 'boolean', default: false },
            description: '`true` deletes the webhooks that the user has created.',
          },
        ],
      },
    },
    ...userAccessPaths(),
  };
}

/** What gives access to the account of a user. */
function userAccessPaths(): Paths {
  return {
    '/api/platform/users/{id}/remaining': {
      parameters: [idParameter],
      get: operation(
        'readRemainingAccess',
        'What works on after the password of a user is reset, or the user is deleted',
        {
          200: jsonResponse('What the user leaves.', envelope(remaining)),
          ...errorsWith(404, 405),
        },
      ),
    },
    '/api/platform/users/{id}/one-time-link': {
      parameters: [idParameter],
      post: {
        ...operation('createPasswordLink', 'Make a link with which the person sets another password, once', {
          201: jsonResponse(
            'The link, shown once, and what works on.',
            envelope({
              type: 'object',
              required: ['link', 'linkExpiresAt', 'remaining'],
              properties: { link: text, linkExpiresAt: instant, remaining },
            }),
          ),
          ...errorsWith(404, ...withBody),
        }),
        description: lasting,
        requestBody: body(endedAccess, []),
      },
    },
    '/api/platform/users/{id}/tokens': {
      parameters: [idParameter],
      post: {
        ...operation('createServiceToken', 'Create an API token of a service account', {
          201: jsonResponse('The token, shown once.', envelope(createdToken)),
          ...errorsWith(404, ...withBody),
        }),
        description: lasting,
        requestBody: tokenBody,
      },
    },
  };
}

function tokenPaths(): Paths {
  return {
    '/api/platform/tokens': {
      get: operation('listTokens', 'The API tokens of all users', {
        200: jsonResponse('The tokens, without their secrets.', envelope({ type: 'array', items: token })),
        ...errorsWith(405),
      }),
    },
    '/api/platform/tokens/{id}': {
      parameters: [idParameter],
      delete: operation('revokeToken', 'Revoke an API token', { ...noContent, ...errorsWith(404, ...withBody) }),
    },
  };
}
