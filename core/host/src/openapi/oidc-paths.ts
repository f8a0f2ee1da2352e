import type { Paths, Responses } from './document';
import { errorsWith } from './error-responses';
import { operation, text } from './identity-parts';

const redirect = (description: string): Responses => ({
  303: { description, headers: { Location: { schema: text } } },
});

/** Sign-in by an identity provider. A browser opens both addresses as pages. */
export function oidcPaths(): Paths {
  return {
    '/api/platform/oidc/start': {
      get: {
        ...operation('beginProviderSignIn', 'Begin a sign-in by the identity provider, in a browser', {
          ...redirect(
            'Redirects to the provider. A refused request is redirected to the sign-in page, with a code in `#sign-in-refused=`.',
          ),
          ...errorsWith(405, 409),
        }),
        parameters: [
          {
            name: 'returnTo',
            in: 'query',
            schema: { ...text, maxLength: 1_000, pattern: String.raw`^/admin(?:[/?][^\\#]*)?$`, default: '/admin/' },
            description: 'Path of the pages to which the browser goes after the sign-in.',
          },
          {
            name: 'presence',
            in: 'query',
            schema: { enum: ['true'] },
            description: 'The provider has to ask the person to sign in again, which proves presence.',
          },
        ],
      },
    },
    '/api/platform/oidc/callback': {
      get: operation(
        'completeProviderSignIn',
        'The address to which the provider sends the browser back; `code`, `state` and `iss` are of OpenID Connect',
        {
          ...redirect(
            'Redirects to the requested page, with the cookie of a session. A refused sign-in is redirected to the sign-in page.',
          ),
          ...errorsWith(405, 409),
        },
      ),
    },
  };
}
