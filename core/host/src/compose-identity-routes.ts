import type { Logger } from '@gantry/plugin-api';
import type { Content } from './composition/open-content';
import type { HostConfig } from './config';
import { accountRoutes } from './http/authentication/account-routes';
import { changeableBySignedIn } from './http/authentication/assert-sign-in-mode';
import { createAttemptLimit } from './http/exchange/attempt-limit';
import { auditRoutes } from './http/authentication/audit-routes';
import { conditionsMet } from './content/read/conditions-met';
import { grantsShownTo } from './http/authentication/grants-shown-to';
import { explainRoutes } from './http/authentication/explain-routes';
import { oidcRoutes } from './http/authentication/oidc-routes';
import { roleRoutes } from './http/authentication/role-routes';
import { createSignInAttempts, signInRoutes } from './http/authentication/sign-in-routes';
import { tokenRoutes } from './http/authentication/token-routes';
import { userRoutes } from './http/authentication/user-routes';
import { viewAsRoutes } from './http/authentication/view-as-routes';
import type { SessionCookies } from './http/authentication/session-cookie';
import { hostRoutes, type HostRouteServer } from './http/exchange/host-routes';
import type { Routes } from './http/exchange/routes';
import { passkeySiteOf } from './identity/second-factors/passkey-site';
import type { Principal } from './http/ports/authenticator';

export interface IdentityRouteOptions {
  readonly config: HostConfig;
  readonly content: Content;
  readonly logger: Logger;
  /** The port that the server really has. */
  readonly port: number;
  readonly cookies: SessionCookies;
  readonly server: HostRouteServer;
}

/** The routes of accounts, sign-in, roles and the audit log. */
export function identityRoutes(options: IdentityRouteOptions): readonly Routes[] {
  const { config, content, logger, port, cookies, server } = options;
  const { identity, policies, database } = content;
  const accounts = changeableBySignedIn(identity);
  const shownTo = (principal: Principal) => grantsShownTo(principal, () => policies.of(principal.rights, principal));
  const linkAddress = `${config.publicUrl ?? `http://localhost:${port}`}/admin/set-password#`;
  const maxSeconds = config.sessions.maxMinutes * 60;
  const passkeySite = passkeySiteOf(config.publicUrl, port);
  return [
    hostRoutes(signInRoutes, { identity, cookies, passkeySite, maxSeconds, attempts: createSignInAttempts() }, server),
    hostRoutes(
      oidcRoutes,
      {
        identity,
        cookies,
        logger,
        maxSeconds,
        publicUrl: config.publicUrl,
        attempts: createAttemptLimit(60, 5 * 60_000),
      },
      server,
    ),
    hostRoutes(accountRoutes, { identity, passkeySite, attempts: createAttemptLimit(10, 15 * 60_000) }, server),
    hostRoutes(userRoutes, { identity: accounts, database: database.plugins, linkAddress }, server),
    hostRoutes(tokenRoutes, { identity: accounts }, server),
    hostRoutes(roleRoutes, { identity: accounts, grantsShownTo: shownTo, types: policies.open.types }, server),
    hostRoutes(auditRoutes, { audit: identity.audit, grantsShownTo: shownTo }, server),
    hostRoutes(viewAsRoutes, { identity, cookies }, server),
    hostRoutes(
      explainRoutes,
      { identity, policies, conditionsMet: (type, id, conditions) => conditionsMet(database, type, id, conditions) },
      server,
    ),
  ];
}
