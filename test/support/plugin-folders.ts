import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PluginSources } from '@gantry/core-loader';

/** A project in a temporary folder, with one folder for dropped-in plugins. */
export interface PluginFolders {
  readonly root: string;
  readonly sources: PluginSources;
  /** Writes a plugin package into the plugin folder. @returns its folder */
  add(id: string, parts?: PluginParts): Promise<string>;
  /** @param path relative to the root */
  write(path: string, text: string): Promise<string>;
  remove(): Promise<void>;
}

export interface PluginParts {
  /** Members of `gantry` in addition to id, manifestVersion and displayName, or instead of them. */
  readonly gantry?: object;
  /** Members of package.json in addition to the usual ones, or instead of them. */
  readonly json?: object;
  /** By path in the package; index.js unless given. */
  readonly files?: Readonly<Record<string, string>>;
  /** Folder relative to the root; `plugins/<id>` unless given. */
  readonly folder?: string;
}

export async function createPluginFolders(): Promise<PluginFolders> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gantry-plugins-')));
  const plugins = join(root, 'plugins');
  await mkdir(plugins);
  const write = async (path: string, text: string): Promise<string> => {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  return {
    root,
    sources: { home: join(root, 'home'), project: root, pluginPath: [plugins] },
    write,
    async add(id, parts = {}) {
      const folder = parts.folder ?? `plugins/${id}`;
      await write(`${folder}/package.json`, JSON.stringify(packageJson(id, parts), null, 2));
      const files = parts.files ?? { 'index.js': definitionOf(id) };
      for (const [path, text] of Object.entries(files)) await write(`${folder}/${path}`, text);
      return join(root, folder);
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** CommonJS that defines a plugin with these members. */
export function definitionOf(id: string, members = ''): string {
  return `const { definePlugin } = require('@gantry/plugin-api');\nmodule.exports = definePlugin({ id: '${id}', ${members} });\n`;
}

function packageJson(id: string, { gantry, json }: PluginParts): object {
  return {
    name: `sample-${id}`,
    version: '1.0.0',
    main: './index.js',
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    gantry: { manifestVersion: 1, id, displayName: `Sample ${id}`, ...gantry },
    ...json,
  };
}
