import type { Logger, Temporal } from '@gantry/plugin-api';
import { createHidePaths, scopeOfPrincipal, type Kernel, createFindServedType } from '@gantry/core-http';
import type { HostConfig } from './config';
import { version } from './version';
import type { Content } from './composition/open-content';

export interface KernelParts {
  readonly config: HostConfig;
  readonly logger: Logger;
  readonly content: Content;
  readonly temporal: Temporal;
  readonly port: number;
}

/** What modules get of a platform whose content is open. */
export function kernelOf({ config, logger, content, temporal, port }: KernelParts): Kernel<HostConfig> {
  const { identity, policies, registry, repository, writer, database, bulk, requests, onCommit } = content;
  return {
    ...{ version, settings: config, logger, database, registry, policies, bulk, requests, onCommit, temporal, port },
    accounts: identity,
    items: {
      // Everything that a request reads and writes goes by the rights of who makes it.
      scopeOf: (principal, requestId) => scopeOfPrincipal(policies, principal, requestId),
      findType: createFindServedType(registry),
      ...{ repository, writer },
    },
    hidePaths: createHidePaths(config, () => registry.reports().map(({ folder }) => folder)),
  };
}
