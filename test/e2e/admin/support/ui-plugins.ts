import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { createWalkFolder } from '../../../support/walk-folder';

const project = join(__dirname, '..', '..', '..', '..');

/** Plugins with pages, written and built in a folder that looks like a clone. */
export interface UiPlugins {
  /** For the `plugins` of a test host. */
  pathOf(id: string): string;
  /** Writes a plugin that brings nothing but pages, as a module that needs no build. */
  write(id: string, plugin: UiPlugin): void;
  /** Writes a plugin of which each export is a source for Vite, and builds it with this configuration. */
  build(id: string, config: string): Promise<void>;
  /** Copies a sample, checks its types and builds it as its package.json says. */
  buildSample(name: string): Promise<void>;
  remove(): void;
}

export interface UiPlugin {
  readonly displayName: string;
  /** 1.0.0 unless given. */
  readonly version?: string;
  /** Members of `gantry.ui` in addition to version and entry. */
  readonly ui: object;
  /** The built module. */
  readonly module: string;
  /** By path in the package. */
  readonly files?: Readonly<Record<string, string>>;
  /** Members of the plugin's definition, as text. */
  readonly definition?: string;
}

const imports = `import { jsx } from 'react/jsx-runtime';
import { defineUi, Page } from '@gantry/ui';
`;

export function createUiPlugins(): UiPlugins {
  const walk = createWalkFolder();
  const folderOf = (id: string): string => join(walk.path, 'my-plugins', id);
  const command = async (id: string, script: string, args: readonly string[]): Promise<void> => {
    await promisify(execFile)(process.execPath, [join(project, 'node_modules', script), ...args], {
      cwd: folderOf(id),
    });
  };
  return {
    pathOf: (id) => relative(project, folderOf(id)),
    write(id, { displayName, version = '1.0.0', ui, module, files = {}, definition = '' }) {
      const manifest = {
        name: id,
        version,
        main: './index.js',
        peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
      };
      const gantry = { manifestVersion: 1, id, displayName, ui: { apiVersion: 1, entry: './pages/index.js', ...ui } };
      const all = {
        'package.json': JSON.stringify({ ...manifest, gantry }),
        'index.js': `module.exports = require('@gantry/plugin-api').definePlugin({ id: '${id}', ${definition} });`,
        'pages/index.js': imports + module,
        ...files,
      };
      for (const [path, text] of Object.entries(all)) {
        mkdirSync(dirname(join(folderOf(id), path)), { recursive: true });
        writeFileSync(join(folderOf(id), path), text);
      }
    },
    async build(id, config) {
      writeFileSync(join(folderOf(id), 'vite.config.mjs'), config);
      await command(id, 'vite/bin/vite.js', ['build', '--logLevel', 'warn']);
    },
    async buildSample(name) {
      cpSync(join(project, 'test/samples', name), folderOf(name), { recursive: true });
      await command(name, 'typescript/bin/tsc', ['--project', 'ui']);
      await command(name, 'vite/bin/vite.js', ['build', '--logLevel', 'warn']);
    },
    remove: () => walk.remove(),
  };
}

/** A page that shows its title and a text, as an expression of the module. */
export function pageOf(title: string, text: string): string {
  return `() => jsx(Page, { title: '${title}', children: '${text}' })`;
}
