import type { StartupReport } from '@gantry/contracts';
import {
  createFindServedType,
  createHidePaths,
  openModules,
  scopeOfPrincipal,
  type Kernel,
  type Modules,
} from '@gantry/core-http';
import { createLocalToken } from '@gantry/core-identity';
import type { Generations, SharedPluginSet } from '@gantry/core-lifecycle';
import type { Temporal } from '@gantry/plugin-api';
import type { Content } from '../composition/open-content';
import type { HostConfig } from '../config';
import { checkProgram } from '../for-commands';
import type { HostOptions } from '../host-options';
import { modules as ofPlatform } from '../modules';
import { version } from '../version';

interface PlatformParts {
  readonly content: Content;
  readonly temporal: Temporal;
  /** The port that the server really has. */
  readonly port: number;
  readonly generations: Generations;
  readonly set: SharedPluginSet;
  /** Of this start; known when requests are answered. */
  readonly report: () => StartupReport;
}

export interface Platform {
  readonly kernel: Omit<Kernel<HostConfig>, 'changes'>;
  readonly modules: Modules;
}

/** The kernel of a platform whose content is open, with its modules. */
export function openPlatform(options: HostOptions, parts: PlatformParts): Platform {
  const { config, logger, environment, modules = ofPlatform } = options;
  const { content, temporal, port, generations, set, report } = parts;
  const { identity, policies, registry, repository, writer, database, bulk, requests, onCommit } = content;
  const kernel: Platform['kernel'] = {
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
  const localToken = createLocalToken(config.home);
  const host = {
    identity,
    pluginSettings: content.settings,
    environment,
    generations,
    set,
    report,
    localToken,
    checkProgram,
  };
  return { kernel, modules: openModules(modules, kernel, host) };
}
