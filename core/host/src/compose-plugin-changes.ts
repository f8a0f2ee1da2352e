import type { IncomingMessage } from 'node:http';
import type { ServiceLevel } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import type { Generations } from './common/generations';
import { createPackageFetcher } from './change/fetch-packages';
import { createPluginChanges } from './change/plugin-changes';
import { createChangeWatch, type ChangeWatch } from './change/watch/change-watch';
import { concernedBy } from './change/watch/concerned-by';
import { undoChange } from './change/watch/undo-change';
import type { AnswerCounts } from './change/watch/answer-counts';
import type { Health } from './http/platform/health';
import { authorOf, recordAction } from './http/authentication/record-action';
import { createJsonReader } from './http/exchange/body';
import type { HidePaths } from './http/exchange/hide-paths';
import { assertHas, assertIsAdministrator } from './http/exchange/principal';
import type { Routes } from './http/exchange/routes';
import { packageRoutes } from './http/plugins/package-routes';
import { pluginChangeRoutes } from './http/plugins/plugin-change-routes';
import type { Content } from './composition/open-content';
import type { HostConfig } from './config';
import type { Rights } from './identity';
import { createSharedPackages } from './plugin-set/shared-packages';
import type { SharedPluginSet } from './plugin-set/shared-plugin-set';

export interface PluginChangeOptions {
  readonly config: HostConfig;
  readonly content: Content;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly generations: Generations;
  readonly set: SharedPluginSet;
}

/** Looks at the host after a change of its plugins. */
export function watchOfChanges(
  { config, content, generations, logger, set }: PluginChangeOptions & { readonly logger: Logger },
  health: Health,
  answers: AnswerCounts,
): ChangeWatch {
  const manifests = () => content.registry.registered().map(({ manifest }) => manifest);
  return createChangeWatch({
    answers,
    readiness: () => health.readiness(),
    concernedBy: (plugins) => concernedBy(manifests(), plugins),
    undo: (watch, failure) => undoChange({ home: config.home, set, generations, logger }, watch, failure),
    logger,
  });
}

/** Check and change of the plugins and their packages. */
export function routesOfPluginChanges(
  { config, content, environment, generations, set }: PluginChangeOptions,
  hidePaths: HidePaths,
  level: () => Promise<ServiceLevel>,
): readonly Routes[] {
  const { identity, registry } = content;
  const shared = createSharedPackages(config.home, config.databaseUrl);
  const changes = createPluginChanges({
    ...{ config, environment, generations, set, shared },
    running: () => registry.registered().map(({ manifest }) => manifest.id),
    level,
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
      fetcher: createPackageFetcher({ config, environment, packages, shared }),
      mayFetch: takesPackages,
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
