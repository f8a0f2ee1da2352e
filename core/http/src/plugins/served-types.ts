import { GantryError } from '@gantry/plugin-api';
import type { FindServedType } from '../exchange/caller/request-scope';
import type { AssertServed } from './plugin-routes';
import { noUiFile, type FindUiFile } from './plugin-ui-routes';
import type { PluginRegistry } from '@gantry/core-loader';

/** Finds the type of a request: 404 when there is none, 503 while the plugin that has it is quarantined, for those who would see it. */
export function createFindServedType(registry: PluginRegistry): FindServedType {
  const assertServed = createAssertServed(registry);
  return ({ policy }, code) => {
    const type = policy.types.find(code);
    if (type !== undefined) {
      assertServed(type.descriptor.plugin);
      return type;
    }
    for (const report of registry.reports()) {
      if (report.contributes.itemTypes.includes(code) && policy.mightShow(report.id, code)) assertServed(report.id);
    }
    throw new GantryError('TYPE_NOT_FOUND', `CMS Type not found: ${code}`);
  };
}

/** @throws GantryError UNAVAILABLE for a plugin that is quarantined */
export function createAssertServed(registry: PluginRegistry): AssertServed {
  return (plugin) => {
    if (registry.served(plugin) !== 'quarantined') return;
    const [problem] = registry.reports().find(({ id }) => id === plugin)?.problems ?? [];
    const code = problem === undefined ? '' : ` (${problem.code})`;
    throw new GantryError(
      'UNAVAILABLE',
      `The plugin ${plugin} is not in use${code}. The reason and the remedy are at /api/platform/plugins.`,
    );
  };
}

/** Finds a file of a plugin's pages; see {@link FindUiFile}. */
export function createFindUiFile(registry: PluginRegistry): FindUiFile {
  const assertServed = createAssertServed(registry);
  return (plugin, version, path) => {
    assertServed(plugin);
    const file = registry.uiFile(plugin, version, path);
    if (file === undefined) throw noUiFile(plugin);
    return file;
  };
}
