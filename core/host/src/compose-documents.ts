import type { RouteAccess } from '@gantry/plugin-api';
import type { Content } from './composition/open-content';
import type { HostConfig } from './config';
import { createReadsItems } from '@gantry/core-identity';
import { declaredRoutes } from './declared-routes';
import {
  compileHostRoute,
  mayUse,
  publicRole,
  type Principal,
  type Rights,
  createOpenApiDocument,
  earlierDocument,
  publicDocument,
  type OpenApiDocument,
} from '@gantry/core-http';
import { version } from './version';

/** The OpenAPI document of a caller as JSON text: what the rights of the caller let be used. */
export type OpenApiFor = (principal: Principal, version: '3.1' | '3.0') => string;

/** Documents are made when they are first asked for, once for the same rights: with a thousand types they are large. */
export function openApiDocuments({
  config,
  content,
}: {
  readonly config: Pick<HostConfig, 'bodyLimit'>;
  readonly content: Content;
}): OpenApiFor {
  const texts = { '3.1': new WeakMap<Rights, string>(), '3.0': new WeakMap<Rights, string>() };
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
  const shownTo = (principal: Principal): OpenApiDocument => {
    const document = documentFor(principal);
    const isPublic = principal.kind === 'public' || principal.id === publicRole;
    return isPublic ? publicDocument(document, createReadsItems([], declaredWith('items'))) : document;
  };
  const textFor: OpenApiFor = (principal, wanted) => {
    const document = shownTo(principal);
    return JSON.stringify(wanted === '3.0' ? earlierDocument(document) : document);
  };
  return (principal, wanted) => {
    const text = texts[wanted].get(principal.rights) ?? textFor(principal, wanted);
    texts[wanted].set(principal.rights, text);
    return text;
  };
}

/** The routes of the platform with an access. */
export function declaredWith(wanted: RouteAccess) {
  return declaredRoutes.filter(({ access }) => access === wanted);
}
