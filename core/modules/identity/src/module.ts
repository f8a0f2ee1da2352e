import { conditionsMet } from '@gantry/core-content';
import type { HostDatabase } from '@gantry/core-database';
import { createAttemptLimit, hostRoutes, type HostRoute, type Module, type Principal } from '@gantry/core-http';
import type { Identity } from './create-identity';
import { createLocalToken } from './local-token';
import { identityPermissions } from './roles/built-in-roles';
import { accountRoutes } from './routes/account-routes';
import { changeableBySignedIn } from './routes/assert-sign-in-mode';
import { auditRoutes } from './routes/audit-routes';
import { createAuthentication } from './routes/authenticate';
import { explainRoutes, type ExplainServices } from './routes/explain-routes';
import { grantsShownTo } from './routes/grants-shown-to';
import { oidcRoutes } from './routes/sign-in/oidc-routes';
import { roleRoutes } from './routes/role-routes';
import { createSessionCookies } from './routes/sign-in/session-cookie';
import { createSignInAttempts, signInRoutes } from './routes/sign-in/sign-in-routes';
import { tokenRoutes } from './routes/token-routes';
import { userRoutes } from './routes/user-routes';
import { viewAsRoutes } from './routes/view-as-routes';
import { identitySchema } from './tables';
import { passkeySiteOf } from './second-factors/passkey-site';

export interface IdentitySettings {
  readonly home: string;
  /** Where clients reach the platform, for example `https://cms.example.org`. */
  readonly publicUrl?: string | undefined;
  readonly sessions: { readonly maxMinutes: number };
}

/** Of accounts, sign-in, roles and the audit log. */
const routes: readonly HostRoute<never>[] = [
  ...[...signInRoutes, ...oidcRoutes, ...accountRoutes, ...userRoutes, ...tokenRoutes],
  ...[...roleRoutes, ...viewAsRoutes, ...explainRoutes, ...auditRoutes],
];

export interface IdentityHost {
  /** Fills the port of accounts of the kernel. */
  readonly identity: Identity;
}

/** Users, sessions, tokens, roles and the audit log. */
export const identity: Module<IdentitySettings, IdentityHost> = {
  id: 'gantry.identity',
  tables: identitySchema,
  permissions: identityPermissions,
  routes,
  open({ settings, database, policies, port, logger }, { identity: given }) {
    const { home, publicUrl, sessions } = settings;
    const cookies = createSessionCookies(given.installationId, publicUrl);
    const accounts = changeableBySignedIn(given);
    const shownTo = (principal: Principal) => grantsShownTo(principal, () => policies.of(principal.rights, principal));
    const linkAddress = `${publicUrl ?? `http://localhost:${port}`}/admin/set-password#`;
    const maxSeconds = sessions.maxMinutes * 60;
    const passkeySite = passkeySiteOf(publicUrl, port);
    const signIn = { identity: given, cookies, maxSeconds };
    const ofProvider = { ...signIn, logger, publicUrl, attempts: createAttemptLimit(60, 5 * 60_000) };
    const ofAccount = { identity: given, passkeySite, attempts: createAttemptLimit(10, 15 * 60_000) };
    const ofRoles = { identity: accounts, grantsShownTo: shownTo, types: policies.open.types };
    const localToken = createLocalToken(home);
    return {
      authenticate: (paths) => createAuthentication({ identity: given, cookies, localToken, ...paths }),
      routes: (server) => [
        hostRoutes(signInRoutes, { ...signIn, passkeySite, attempts: createSignInAttempts() }, server),
        hostRoutes(oidcRoutes, ofProvider, server),
        hostRoutes(accountRoutes, ofAccount, server),
        hostRoutes(userRoutes, { identity: accounts, database: database.plugins, linkAddress }, server),
        hostRoutes(tokenRoutes, { identity: accounts }, server),
        hostRoutes(roleRoutes, ofRoles, server),
        hostRoutes(auditRoutes, { audit: given.audit, grantsShownTo: shownTo }, server),
        hostRoutes(viewAsRoutes, { identity: given, cookies }, server),
        hostRoutes(explainRoutes, { identity: given, policies, conditionsMet: conditionsMetIn(database) }, server),
      ],
    };
  },
};

function conditionsMetIn(database: HostDatabase): ExplainServices['conditionsMet'] {
  return (type, id, conditions) => conditionsMet(database, type, id, conditions);
}
