import { z } from 'zod';
import { roleName, type Identity } from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { principalOf } from '../exchange/principal';
import { parseQuery } from '../exchange/query';
import { addPath, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertManagesRoles } from './assert-manages-users';
import { setCookie, type SessionCookies } from './session-cookie';

export interface ViewAsRouteDependencies {
  readonly identity: Pick<Identity, 'isSignInRequired' | 'roles'>;
  readonly cookies: SessionCookies;
  readonly readJson: ReadJson;
}

export const viewAsPath = '/api/platform/view-as';

const viewAsBody = z.strictObject({ roles: z.array(roleName).min(1).max(20) });
/** As long as a session lasts at most by default; signing out ends it as well. */
const maxAgeSeconds = 7 * 24 * 3_600;

/** Lets an administrator see the pages, and use the REST interface, with the rights of other roles: in this browser, until it is ended. */
export function viewAsRoutes({ identity, cookies, readJson }: ViewAsRouteDependencies): Routes {
  const name = cookies.viewAs;
  const { isSecure } = cookies;
  return (app) => {
    addPath(app, viewAsPath, {
      async put(request, response) {
        parseQuery(request, []);
        assertManagesRoles(identity, request);
        const { roles } = parseBody(viewAsBody, await readJson(request, response));
        for (const role of roles) await identity.roles.get(role);
        await identity.roles.reload();
        setCookie(response, { name, value: roles.join('.'), maxAgeSeconds, isSecure });
        sendData(response, 200, JSON.stringify({ roles }));
      },
      async delete(request, response) {
        parseQuery(request, []);
        principalOf(request);
        await readJson(request, response);
        setCookie(response, { name, value: '', maxAgeSeconds: 0, isSecure });
        response.status(204).end();
      },
    });
  };
}
