import type { RouteAccess } from '@gantry/plugin-api';
import type { Content } from './composition/open-content';
import type { HostConfig } from './config';
import { createReadsItems } from './http/authentication/public-paths';
import { declaredRoutes } from './http/declared-routes';
import { compileHostRoute } from './http/exchange/host-routes';
import { mayUse } from './http/exchange/may-use';
import { publicRole, type Principal, type Rights } from './identity';
import { createOpenApiDocument, publicDocument, type OpenApiDocument } from './openapi';
import { version } from './version';

/** The OpenAPI document of a caller as JSON text: what the rights of the caller let be used. */
export type OpenApiFor = (principal: Principal) => string;

/** Documents are made when they are first asked for, once for the same rights: with a thousand types they are large. */
export function openApiDocuments({
  config,
  content,
}: {
  readonly config: Pick<HostConfig, 'bodyLimit'>;
  readonly content: Content;
}): OpenApiFor {
  const texts = new WeakMap<Rights, string>();
  const documentFor = (principal: Principal): OpenApiDocument => {
    const { rights } = principal;
    const policy = content.policies.of(rights, principal);
    const ofPlugins = content.registry.registeredPlugins().flatMap(({ routes }) => routes);
    return createOpenApiDocument({
      types: policy.types.served().map(({ descriptor }) => descriptor),
      mayDo: (action, type) => policy.may(action, type),
      routes: [
        ...declaredRoutes.filter(({ access, demand }) => mayUse(access, demand, rights)).map(compileHostRoute),
        ...ofPlugins.filter(({ options }) => mayUse(options.access, undefined, rights)),
      ],
      version,
      bodyLimit: config.bodyLimit,
    });
  };
  const textFor = (principal: Principal): string => {
    const document = documentFor(principal);
    const isPublic = principal.kind === 'public' || principal.id === publicRole;
    return JSON.stringify(isPublic ? publicDocument(document, createReadsItems([], declaredWith('items'))) : document);
  };
  return (principal) => {
    const text = texts.get(principal.rights) ?? textFor(principal);
    texts.set(principal.rights, text);
    return text;
  };
}

/** The routes of the platform with an access. */
export function declaredWith(wanted: RouteAccess) {
  return declaredRoutes.filter(({ access }) => access === wanted);
}
