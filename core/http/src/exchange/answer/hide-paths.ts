import { realpathSync } from 'node:fs';
import { basename, parse, sep } from 'node:path';
import type { PluginSources } from '@gantry/core-loader';

/** JSON text without the folders of the machine. */
export type HidePaths = (json: string) => string;

/**
 * Replaces the paths that a client has no business to know: those in the project become relative to it; those in a home
 * elsewhere begin with GANTRY_HOME, those in a plugin folder elsewhere with the name of that folder.
 * @param packages folders of plugins; of one that is anywhere else, the name is left
 */
export function createHidePaths(
  { project, home, pluginPath }: Pick<PluginSources, 'project' | 'home' | 'pluginPath'>,
  packages: () => readonly string[],
): HidePaths {
  const known = [
    ...replacements(project, ''),
    ...replacements(home, 'GANTRY_HOME/'),
    ...pluginPath.flatMap((folder) => replacements(folder, `${basename(folder)}/`)),
  ].filter(([path], index, all) => !all.slice(0, index).some(([outer]) => path.startsWith(outer)));
  const ordered = known.toSorted(([first], [second]) => second.length - first.length);
  return (json) => {
    const foreign = packages().map((folder): Replacement => [escaped(folder), basename(folder)]);
    return [...ordered, ...foreign].reduce((text, [path, name]) => text.replaceAll(path, name), json);
  };
}

type Replacement = readonly [path: string, name: string];

/** As it is configured, and as it is where links are followed. */
function replacements(folder: string, name: string): readonly Replacement[] {
  return [...new Set([folder, realPathOf(folder)])]
    .filter((path) => path !== parse(path).root)
    .map((path) => [escaped(path + sep), name]);
}

function escaped(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
