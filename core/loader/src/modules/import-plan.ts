import { dirname, join } from 'node:path';
import { hostAnchors, internalFolders } from './host-modules';
import type { ImportingPlugin, ImportPlan } from './import-rules';
import type { Manifest } from '../manifest/manifest';
import { isActive, type PluginRecord } from '../record/plugin-record';

/** Who may import what, from all that was discovered: packages that are not in use are known as well, so that their code is not run. */
export function createImportPlan(records: readonly PluginRecord[]): ImportPlan {
  const plugins = records.flatMap((record) => (record.manifest ? [importing(record, record.manifest)] : []));
  // Of several packages with one name, the last one counts: one that runs.
  return {
    anchors: hostAnchors(),
    internals: internalFolders(),
    plugins: plugins.toSorted((first, second) => Number('unavailable' in second) - Number('unavailable' in first)),
  };
}

function importing(record: PluginRecord, manifest: Manifest): ImportingPlugin {
  const { folder, source, json } = record.found;
  return {
    id: manifest.id,
    packageName: manifest.packageName,
    folder,
    ...(source === folder ? {} : { hoistedFrom: join(dirname(source), 'package.json') }),
    entry: join(folder, manifest.main),
    hasExports: json.exports !== undefined && json.exports !== null,
    dependencies: [...Object.keys(manifest.dependsOn), ...Object.keys(manifest.optionalDependsOn)],
    ...(isActive(record) ? {} : { unavailable: record.state === 'disabled' ? 'is disabled' : `is ${record.state}` }),
  };
}
