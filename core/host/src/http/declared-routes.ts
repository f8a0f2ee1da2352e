import type { CompiledRoute } from '../plugins/record/registered-plugin';
import { compileHostRoute, type HostRoute } from './exchange/host-routes';
import { accountRoutes } from './authentication/account-routes';
import { auditRoutes } from './authentication/audit-routes';
import { explainRoutes } from './authentication/explain-routes';
import { oidcRoutes } from './authentication/oidc-routes';
import { roleRoutes } from './authentication/role-routes';
import { signInRoutes } from './authentication/sign-in-routes';
import { tokenRoutes } from './authentication/token-routes';
import { userRoutes } from './authentication/user-routes';
import { viewAsRoutes } from './authentication/view-as-routes';
import { changeRoutes } from './changes/change-routes';
import { itemRoutes } from './items/item-routes';
import { allTypesRoutes, typeRoutes } from './items/type-routes';
import { documentRoutes } from './platform/document-routes';
import { healthRoutes } from './platform/health-routes';
import { platformRoutes } from './platform/platform-routes';
import { transferRoutes } from './transfer/transfer-routes';
import { commandRoutes } from './plugins/command-routes';
import { packageRoutes } from './plugins/package-routes';
import { pluginChangeRoutes } from './plugins/plugin-change-routes';
import { reportRoutes } from './plugins/report-routes';
import { subscriptionRoutes } from './webhooks/subscription-routes';
import { webhookRoutes } from './webhooks/webhook-routes';

/** All routes of the platform that are declared with their contracts, for documents about them. */
export const declaredRoutes: readonly HostRoute<never>[] = [
  ...platformRoutes,
  ...allTypesRoutes,
  ...typeRoutes,
  ...itemRoutes,
  ...changeRoutes,
  ...transferRoutes,
  ...reportRoutes,
  ...commandRoutes,
  ...packageRoutes,
  ...pluginChangeRoutes,
  ...healthRoutes,
  ...documentRoutes,
  ...signInRoutes,
  ...oidcRoutes,
  ...accountRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...roleRoutes,
  ...viewAsRoutes,
  ...explainRoutes,
  ...auditRoutes,
  ...webhookRoutes,
  ...subscriptionRoutes,
];

/** The same with their schemas made ready, as documents describe them. */
export function compiledRoutes(): readonly CompiledRoute[] {
  return declaredRoutes.map(compileHostRoute);
}
