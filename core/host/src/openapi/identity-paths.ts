import { component, envelope, jsonResponse, type Paths, type Schema } from './document';
import { oidcPaths } from './oidc-paths';
import { errorsWith } from './error-responses';
import { body, code, endedAccess, noContent, operation, passkey, text, withBody } from './identity-parts';

/** Sign-in. */
export function identityPaths(): Paths {
  return {
    ...signInPaths(),
    ...oidcPaths(),
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
            envelope({
              allOf: [
                session,
                {
                  type: 'object',
                  required: ['remaining'],
                  properties: { remaining: component('schemas', 'RemainingAccess') },
                },
              ],
            }),
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
