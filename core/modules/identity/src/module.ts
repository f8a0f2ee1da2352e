import { conditionsMet } from '@gantry/core-content';
import type { HostDatabase } from '@gantry/core-database';
import { createAttemptLimit, hostRoutes, type HostRoute, type Module, type Principal } from '@gantry/core-http';
import type { Identity } from './create-identity';
import { accountRoutes } from './routes/account-routes';
import { changeableBySignedIn } from './routes/assert-sign-in-mode';
import { auditRoutes } from './routes/audit-routes';
import { explainRoutes, type ExplainServices } from './routes/explain-routes';
import { grantsShownTo } from './routes/grants-shown-to';
import { oidcRoutes } from './routes/oidc-routes';
import { roleRoutes } from './routes/role-routes';
import { createSessionCookies } from './routes/session-cookie';
import { createSignInAttempts, signInRoutes } from './routes/sign-in-routes';
import { tokenRoutes } from './routes/token-routes';
import { userRoutes } from './routes/user-routes';
import { viewAsRoutes } from './routes/view-as-routes';
import { passkeySiteOf } from './second-factors/passkey-site';

export interface IdentitySettings {
  /** Where clients reach the platform, for example `https://cms.example.org`. */
  readonly publicUrl?: string | undefined;
  readonly sessions: { readonly maxMinutes: number };
}

/** The routes of accounts, sign-in, roles and the audit log. */
export const identityRoutes: readonly HostRoute<never>[] = [
  ...[...signInRoutes, ...oidcRoutes, ...accountRoutes, ...userRoutes, ...tokenRoutes],
  ...[...roleRoutes, ...viewAsRoutes, ...explainRoutes, ...auditRoutes],
];

/** Users, sessions, tokens, roles and the audit log. @param identity fills the ports of the kernel, which is opened with it */
export function identityModule(identity: Identity): Module<IdentitySettings> {
  return {
    id: 'gantry.identity',
    routes: identityRoutes,
    open({ settings, database, policies, port, logger }) {
      const { publicUrl, sessions } = settings;
      const cookies = createSessionCookies(identity.installationId, publicUrl);
      const accounts = changeableBySignedIn(identity);
      const shownTo = (principal: Principal) =>
        grantsShownTo(principal, () => policies.of(principal.rights, principal));
      const linkAddress = `${publicUrl ?? `http://localhost:${port}`}/admin/set-password#`;
      const maxSeconds = sessions.maxMinutes * 60;
      const passkeySite = passkeySiteOf(publicUrl, port);
      const signIn = { identity, cookies, maxSeconds };
      const ofProvider = { ...signIn, logger, publicUrl, attempts: createAttemptLimit(60, 5 * 60_000) };
      const ofAccount = { identity, passkeySite, attempts: createAttemptLimit(10, 15 * 60_000) };
      const ofRoles = { identity: accounts, grantsShownTo: shownTo, types: policies.open.types };
      return {
        routes: (server) => [
          hostRoutes(signInRoutes, { ...signIn, passkeySite, attempts: createSignInAttempts() }, server),
          hostRoutes(oidcRoutes, ofProvider, server),
          hostRoutes(accountRoutes, ofAccount, server),
          hostRoutes(userRoutes, { identity: accounts, database: database.plugins, linkAddress }, server),
          hostRoutes(tokenRoutes, { identity: accounts }, server),
          hostRoutes(roleRoutes, ofRoles, server),
          hostRoutes(auditRoutes, { audit: identity.audit, grantsShownTo: shownTo }, server),
          hostRoutes(viewAsRoutes, { identity, cookies }, server),
          hostRoutes(explainRoutes, { identity, policies, conditionsMet: conditionsMetIn(database) }, server),
        ],
      };
    },
  };
}

function conditionsMetIn(database: HostDatabase): ExplainServices['conditionsMet'] {
  return (type, id, conditions) => conditionsMet(database, type, id, conditions);
}
