import type { PluginRegistry } from '@gantry/core-loader';
import { compileHostRoute, type HostRoute } from '../exchange/host-routes';
import { mayUse } from '../exchange/caller/may-use';
import { createOpenApiDocument } from '../openapi/create-openapi-document';
import type { OpenApiDocument } from '../openapi/document';
import { earlierDocument } from '../openapi/earlier-document';
import { publicDocument } from '../openapi/public-document';
import type { Policies } from '../policies';
import { publicRole, type Principal, type Rights } from '../ports';
import { createReadsItems } from './public-paths';

/** The OpenAPI document of a caller as JSON text: what the rights of the caller let be used. */
export type OpenApiFor = (principal: Principal, version: '3.1' | '3.0') => string;

export interface CallerDocumentOptions {
  readonly version: string;
  readonly bodyLimit: number;
  /** Those of the platform. */
  readonly routes: readonly HostRoute<never>[];
  readonly registry: PluginRegistry;
  readonly policies: Policies;
}

/** Documents are made when they are first asked for, once for the same rights: with a thousand types they are large. */
export function createCallerDocuments(options: CallerDocumentOptions): OpenApiFor {
  const { version, bodyLimit, routes, registry, policies } = options;
  const texts = { '3.1': new WeakMap<Rights, string>(), '3.0': new WeakMap<Rights, string>() };
  const documentFor = (principal: Principal): OpenApiDocument => {
    const { rights } = principal;
    const policy = policies.of(rights, principal);
    const ofPlugins = registry.registeredPlugins().flatMap((plugin) => plugin.routes);
    return createOpenApiDocument({
      types: policy.types.served().map(({ descriptor }) => descriptor),
      mayDo: (action, type) => policy.may(action, type),
      routes: [
        ...routes.filter(({ access, demand }) => mayUse(access, demand, rights)).map(compileHostRoute),
        ...ofPlugins.filter((route) => mayUse(route.options.access, undefined, rights)),
      ],
      version,
      bodyLimit,
    });
  };
  const shownTo = (principal: Principal): OpenApiDocument => {
    const document = documentFor(principal);
    const isPublic = principal.kind === 'public' || principal.id === publicRole;
    if (!isPublic) return document;
    const ofItems = routes.filter(({ access }) => access === 'items');
    return publicDocument(document, createReadsItems([], ofItems));
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
