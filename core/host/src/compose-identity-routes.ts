import type { Logger } from '@gantry/plugin-api';
import type { Content } from './composition/open-content';
import type { HostConfig } from './config';
import {
  accountRoutes,
  changeableBySignedIn,
  auditRoutes,
  grantsShownTo,
  explainRoutes,
  oidcRoutes,
  roleRoutes,
  createSignInAttempts,
  signInRoutes,
  tokenRoutes,
  userRoutes,
  viewAsRoutes,
  type SessionCookies,
  passkeySiteOf,
} from '@gantry/core-identity';
import { createAttemptLimit, hostRoutes, type HostRouteServer, type Routes, type Principal } from '@gantry/core-http';
import { conditionsMet } from '@gantry/core-content';

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
