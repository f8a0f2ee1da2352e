import { envelope, jsonResponse, type PathItem, type Paths } from './document';
import { errorsWith } from './error-responses';
import {
  body,
  code,
  createdToken,
  idParameter,
  identityProvider,
  instant,
  lasting,
  noContent,
  operation,
  passkey,
  text,
  token,
  tokenBody,
  withBody,
} from './identity-parts';
import { passkeyPaths } from './passkey-paths';

const currentPassword = body({ currentPassword: { ...text, maxLength: 1_024 } });
const totpPath: PathItem = {
  get: operation('readTotp', 'State of the authenticator app of the caller', {
    200: jsonResponse('The state.', envelope({ type: 'object', properties: { isEnabled: { type: 'boolean' } } })),
    ...errorsWith(405, 409),
  }),
  post: {
    ...operation('beginTotp', 'Begin the setup of an authenticator app', {
      200: jsonResponse(
        'What the app needs, shown once.',
        envelope({ type: 'object', properties: { secret: text, uri: text } }),
      ),
      ...errorsWith(...withBody, 429),
    }),
    requestBody: currentPassword,
  },
  put: {
    ...operation('confirmTotp', 'Confirm the setup by a code of the app; other sessions of the person end', {
      200: jsonResponse(
        'The recovery codes if it is the first second factor, shown once; else none.',
        envelope({ type: 'object', properties: { recoveryCodes: { type: 'array', items: text } } }),
      ),
      ...errorsWith(...withBody, 429),
    }),
    description: lasting,
    requestBody: body({ code }),
  },
  delete: {
    ...operation('removeTotp', 'Remove the authenticator app', { ...noContent, ...errorsWith(...withBody, 429) }),
    requestBody: currentPassword,
  },
};

const presencePath: PathItem = {
  post: {
    ...operation('provePresence', 'Prove that the person of the session is present, by one of the proofs', {
      200: jsonResponse(
        'Until when changes that outlast the session are accepted.',
        envelope({ type: 'object', required: ['provenUntil'], properties: { provenUntil: instant } }),
      ),
      ...errorsWith(...withBody, 429),
    }),
    description:
      'Without a proof, the answer is `PRESENCE_REQUIRED`; its `error.presence` has the proofs of the account and the options for a passkey. Who signs in by an identity provider opens `/api/platform/oidc/start?presence=true` in the browser.',
    requestBody: body({ password: { ...text, minLength: 1, maxLength: 1_024 }, code, passkey }, []),
  },
};

const passwordPath: PathItem = {
  get: operation('readPassword', 'How the caller signs in: by password, by an identity provider, or both', {
    200: jsonResponse(
      'People who sign in by an identity provider have none.',
      envelope({
        type: 'object',
        required: ['hasPassword', 'identityProvider'],
        properties: { hasPassword: { type: 'boolean' }, identityProvider },
      }),
    ),
    ...errorsWith(405, 409),
  }),
  put: {
    ...operation('changePassword', 'Change the password of the caller; all other sessions of the caller end', {
      ...noContent,
      ...errorsWith(...withBody),
    }),
    requestBody: body({
      currentPassword: { ...text, maxLength: 1_024 },
      newPassword: { ...text, minLength: 8, maxLength: 1_024 },
    }),
  },
};

/** What people do with their own account. */
export function accountPaths(): Paths {
  return {
    ...passkeyPaths(),
    '/api/platform/account/password': passwordPath,
    '/api/platform/account/presence': presencePath,
    '/api/platform/account/sessions': {
      get: operation('listSessions', 'The sessions of the caller', {
        200: jsonResponse('The latest first.', envelope({ type: 'array', items: { type: 'object' } })),
        ...errorsWith(405, 409),
      }),
    },
    '/api/platform/account/sessions/{id}': {
      parameters: [idParameter],
      delete: operation('endSession', 'End a session of the caller', { ...noContent, ...errorsWith(404, ...withBody) }),
    },
    '/api/platform/account/totp': totpPath,
    '/api/platform/account/tokens': {
      get: operation('listOwnTokens', 'The API tokens of the caller', {
        200: jsonResponse('The tokens, without their secrets.', envelope({ type: 'array', items: token })),
        ...errorsWith(405, 409),
      }),
      post: {
        ...operation('createOwnToken', 'Create an API token with the rights of the caller', {
          201: jsonResponse('The token, shown once.', envelope(createdToken)),
          ...errorsWith(...withBody),
        }),
        description: lasting,
        requestBody: tokenBody,
      },
    },
    '/api/platform/account/tokens/{id}': {
      parameters: [idParameter],
      delete: operation('revokeOwnToken', 'Revoke an API token of the caller', {
        ...noContent,
        ...errorsWith(404, ...withBody),
      }),
    },
  };
}
