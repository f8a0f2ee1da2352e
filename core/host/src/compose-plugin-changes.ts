import type { IncomingMessage } from 'node:http';
import type { Generations } from './common/generations';
import { createPluginChanges } from './change/plugin-changes';
import { authorOf, recordAction } from './http/exchange/record-action';
import { createJsonReader } from './http/exchange/body';
import type { HidePaths } from './http/exchange/hide-paths';
import { assertHas, assertIsAdministrator } from './http/exchange/principal';
import type { Routes } from './http/exchange/routes';
import { packageRoutes } from './http/plugins/package-routes';
import { pluginChangeRoutes } from './http/plugins/plugin-change-routes';
import type { Content } from './composition/open-content';
import type { HostConfig } from './config';
import { createLocalToken, type Rights } from './identity';
import type { SharedPluginSet } from './plugin-set/shared-plugin-set';

export interface PluginChangeOptions {
  readonly config: HostConfig;
  readonly content: Content;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly generations: Generations;
  readonly set: SharedPluginSet;
}

/** Check and change of the plugins and their packages. */
export function routesOfPluginChanges(
  { config, content, environment, generations, set }: PluginChangeOptions,
  hidePaths: HidePaths,
): readonly Routes[] {
  const { identity, registry } = content;
  const changes = createPluginChanges({
    ...{ config, environment, generations, set },
    running: () => registry.registeredPlugins().map(({ manifest }) => manifest.id),
  });
  const { packages } = changes;
  const takesPackages = config.takesPackages !== false;
  const confirmed =
    (assertMay: (rights: Rights) => void) =>
    (request: IncomingMessage): Promise<void> =>
      identity.change(authorOf(request, assertMay), () => Promise.resolve());
  const common = { readJson: createJsonReader(config.bodyLimit), hidePaths };
  return [
    packageRoutes({
      ...common,
      packages,
      takesPackages,
      localToken: createLocalToken(config.home),
      confirm: confirmed(assertIsAdministrator),
      record: (request, action, subject, detail = {}) => recordAction(identity, request, { action, subject, detail }),
    }),
    pluginChangeRoutes({
      ...common,
      ...{ changes, takesPackages },
      confirm: confirmed((rights) => assertHas(rights, 'plugins.change')),
      record: (request, action, subject) => recordAction(identity, request, { action, subject }),
    }),
  ];
}
