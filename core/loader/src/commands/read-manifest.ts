import { discoverFolder } from '../phases/discover';
import { validate } from '../phases/validate';
import type { Manifest } from '../manifest/manifest';
import { pluginApiVersion } from '../modules/plugin-api-version';
import { PluginError } from '../plugin-error';

/** The manifest of a package, wherever that is. @throws PluginError PLUGIN_UNUSABLE with all its problems */
export async function readManifest(folder: string): Promise<Manifest> {
  const { manifest, problems } = await validate(await discoverFolder(folder), pluginApiVersion());
  if (manifest !== undefined) return manifest;
  const [first] = problems;
  throw new PluginError(
    'PLUGIN_UNUSABLE',
    `The package cannot be installed: ${problems.map(({ reason }) => reason).join('; ')}`,
    first?.remedy ?? 'Correct its package.json',
  );
}
