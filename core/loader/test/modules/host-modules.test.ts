import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createPluginFolders, definitionOf, type PluginFolders } from '../../../../test/support/plugin-folders';
import { reportOf, runRegistry, type RegistryRun } from '../support/run-registry';

const esm = { type: 'module' };

describe('modules that the host provides', () => {
  let folders: PluginFolders;
  beforeEach(async () => {
    folders = await createPluginFolders();
  });
  afterEach(() => folders.remove());

  const run = (): Promise<RegistryRun> => runRegistry({ sources: folders.sources });

  it('are the same for require and for import, with subpaths, in folders without node_modules', async () => {
    await folders.add('common', {
      files: {
        'index.js': `
          const { BaseItem, definePlugin } = require('@gantry/plugin-api');
          require('reflect-metadata');
          globalThis.provided = { BaseItem, Model: require('sequelize').Model, Column: require('sequelize-typescript').Column };
          globalThis.traces.push(typeof require('@gantry/plugin-api/testing'), typeof require('@temporalio/activity').Context);
          module.exports = definePlugin({ id: 'common' });`,
      },
    });
    await folders.add('modern', {
      gantry: { dependsOn: { common: '*' } },
      json: esm,
      files: {
        'index.js': `
          import { createRequire } from 'node:module';
          import 'reflect-metadata';
          import { BaseItem, definePlugin } from '@gantry/plugin-api';
          import * as testing from '@gantry/plugin-api/testing';
          import { Model } from 'sequelize';
          import { Column } from 'sequelize-typescript';
          import { ApplicationFailure } from '@temporalio/common';
          const { provided } = globalThis;
          const required = createRequire(import.meta.url)('@gantry/plugin-api').BaseItem;
          globalThis.traces.push(
            [BaseItem === provided.BaseItem, required === BaseItem, Model === provided.Model, Column === provided.Column],
            typeof testing, typeof ApplicationFailure, (await import('@gantry/plugin-api')).BaseItem === BaseItem,
          );
          export default definePlugin({ id: 'modern' });`,
      },
    });
    const result = await run();
    expect(result.reports.flatMap(({ problems }) => problems)).toEqual([]);
    expect(result.traces).toEqual(['object', 'function', [true, true, true, true], 'object', 'function', true]);
  });

  it('come before copies that the project has installed', async () => {
    await folders.write(
      'node_modules/@gantry/plugin-api/package.json',
      '{ "name": "@gantry/plugin-api", "main": "index.js" }',
    );
    await folders.write('node_modules/@gantry/plugin-api/index.js', 'throw new Error("the wrong copy")');
    await folders.add('sound');
    expect(reportOf(await run(), 'sound').state).toBe('started');
  });

  it('are found by libraries within a plugin, and by files in its subfolders', async () => {
    await folders.add('deep', {
      files: {
        'index.js': "module.exports = require('./lib/sub/plugin.js')",
        'lib/sub/plugin.js':
          "require('kit'); module.exports = require('@gantry/plugin-api').definePlugin({ id: 'deep' })",
        'node_modules/kit/package.json': '{ "name": "kit" }',
        'node_modules/kit/index.js': "require('sequelize')",
      },
    });
    expect(reportOf(await run(), 'deep').state).toBe('started');
  });

  it('do not leak to files outside the plugins', async () => {
    const outside = await folders.write('outside/index.cjs', "module.exports = require('@gantry/plugin-api')");
    const outsideModule = await folders.write('outside/index.mjs', "export * from '@gantry/plugin-api'");
    await folders.add('curious', {
      files: {
        'index.js': `
          const trace = (error) => globalThis.traces.push(error.code);
          try { require(${JSON.stringify(outside)}); } catch (error) { trace(error); }
          ${definitionOf('curious', `start: () => import(${JSON.stringify(outsideModule)}).then(() => {}, trace)`)}`,
      },
    });
    expect((await run()).traces).toEqual(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND']);
  });

  it('leave all other modules of a plugin to Node.js', async () => {
    await folders.add('own', {
      json: esm,
      files: {
        'index.js': `
          import kit from 'kit';
          import { readFileSync } from 'node:fs';
          import { definePlugin } from '@gantry/plugin-api';
          globalThis.traces.push(kit, typeof readFileSync, (await import('missing-kit').catch((error) => error)).code);
          export default definePlugin({ id: 'own' });`,
        'node_modules/kit/package.json': '{ "name": "kit" }',
        'node_modules/kit/index.js': "module.exports = 'own kit'",
      },
    });
    expect((await run()).traces).toEqual(['own kit', 'function', 'ERR_MODULE_NOT_FOUND']);
  });

  it('include the package of another plugin: the very copy that the host loads, by link or by folder', async () => {
    const shared = await folders.add('shared', {
      folder: 'elsewhere/shared',
      files: {
        'index.js': `${definitionOf('shared')}exports.Shared = class {}; module.exports.Shared = exports.Shared;`,
        'extra.js': 'module.exports = 5',
      },
    });
    const withClass =
      "const { definePlugin } = require('@gantry/plugin-api'); class Shared {} exports.Shared = Shared; exports.default = definePlugin({ id: 'shared' }); globalThis.Shared = Shared;";
    await folders.write('elsewhere/shared/index.js', withClass);
    await symlink(shared, join(folders.root, 'plugins/shared'));
    await folders.add('common', {
      gantry: { dependsOn: { shared: '*' } },
      files: {
        'index.js': `globalThis.traces.push(require('sample-shared').Shared === globalThis.Shared, require('sample-shared/extra.js'));\n${definitionOf('common')}`,
        'node_modules/sample-shared/package.json': '{ "name": "sample-shared", "main": "index.js" }',
        'node_modules/sample-shared/index.js': 'throw new Error("a second copy")',
      },
    });
    await folders.add('modern', {
      gantry: { optionalDependsOn: { shared: '*' } },
      json: esm,
      files: {
        'index.js': `
          import { definePlugin } from '@gantry/plugin-api';
          import { Shared } from 'sample-shared';
          import extra from 'sample-shared/extra.js';
          globalThis.traces.push(Shared === globalThis.Shared, extra);
          export default definePlugin({ id: 'modern' });`,
      },
    });
    const result = await run();
    expect(result.reports.flatMap(({ problems }) => problems)).toEqual([]);
    expect(result.traces).toEqual([true, 5, true, 5]);
  });

  it('keep two builds of one plugin from being loaded side by side', async () => {
    await folders.add('dual', {
      json: { exports: { import: './index.mjs', require: './index.cjs' } },
      files: {
        'index.mjs':
          "import { definePlugin } from '@gantry/plugin-api'; export default definePlugin({ id: 'dual' }); export const build = 'esm';",
        'index.cjs': "exports.build = 'cjs'",
      },
    });
    await folders.add('user', {
      gantry: { dependsOn: { dual: '*' } },
      json: esm,
      files: {
        'index.js':
          "import { build } from 'sample-dual'; import { definePlugin } from '@gantry/plugin-api'; globalThis.traces.push(build); export default definePlugin({ id: 'user' });",
      },
    });
    expect((await run()).traces).toEqual(['esm']);
  });

  it('do not include the package of a plugin that is no declared dependency', async () => {
    await folders.add('base');
    await folders.add('common', { files: { 'index.js': `require('sample-base');\n${definitionOf('common')}` } });
    await folders.add('modern', { json: esm, files: { 'index.js': "import 'sample-base';" } });
    const result = await run();
    for (const id of ['common', 'modern']) {
      expect(reasonOf(result, id)).toMatch(new RegExp(`${id} .* sample-base .* base .* gantry\\.dependsOn `));
    }
  });

  it('do not include a disabled plugin, even if its package is installed: an optional import fails as a missing one', async () => {
    await folders.add('base', { files: { 'index.js': 'globalThis.traces.push("base ran")' } });
    await folders.write('home/plugins.json', '{ "formatVersion": 1, "plugins": { "base": { "enabled": false } } }');
    await folders.add('common', {
      gantry: { optionalDependsOn: { base: '*' } },
      files: {
        'index.js': `try { require('sample-base'); } catch ({ code }) { globalThis.traces.push(code); }\n${definitionOf('common')}`,
      },
    });
    await folders.add('modern', {
      gantry: { optionalDependsOn: { base: '*' } },
      json: esm,
      files: {
        'index.js': `
          import { definePlugin } from '@gantry/plugin-api';
          globalThis.traces.push(await import('sample-base').catch(({ code, message }) => code + ' ' + message));
          export default definePlugin({ id: 'modern' });`,
      },
    });
    expect((await run()).traces).toEqual([
      'MODULE_NOT_FOUND',
      'ERR_MODULE_NOT_FOUND Cannot import sample-base: the plugin base is disabled',
    ]);
  });

  it('are all that plugins get of the platform: what is internal is refused, by name and by path', async () => {
    const host = join(__dirname, '../../../host/dist/index.js');
    const packages = [
      ...['common', 'content', 'http', 'identity', 'loader'].map((name) => `@gantry/core-${name}`),
      '@gantry/core-supervisor/child',
      '@gantry/host',
      '@gantry/launcher',
      '@gantry/cli',
    ];
    const common = join(__dirname, '../../../common/dist/index.js');
    const internals = [...packages, '@gantry/host/dist/common/logger.js', host, common];
    await folders.add('common', {
      files: {
        'index.js': `
          for (const name of ${JSON.stringify(internals)}) {
            try { require(name); globalThis.traces.push(name); } catch ({ code }) { globalThis.traces.push(code); }
          }
          try { require('@gantry/plugin-not-there'); } catch ({ code }) { globalThis.traces.push(code); }
          globalThis.traces.push(typeof require('@gantry/contracts').fieldTypes);
          ${definitionOf('common')}`,
      },
    });
    await folders.add('modern', {
      json: esm,
      files: {
        'index.js': `
          import { definePlugin } from '@gantry/plugin-api';
          const codeOf = (name) => import(name).then(() => name, ({ code }) => code);
          for (const name of ${JSON.stringify([...internals, '@gantry/plugin-not-there'])}) globalThis.traces.push(await codeOf(name));
          globalThis.traces.push(typeof (await import('@gantry/contracts')).fieldTypes);
          export default definePlugin({ id: 'modern' });`,
      },
    });
    const refused = internals.map(() => 'GANTRY_INTERNAL_MODULE');
    expect((await run()).traces).toEqual([
      ...[...refused, 'MODULE_NOT_FOUND', 'object'],
      ...[...refused, 'ERR_MODULE_NOT_FOUND', 'object'],
    ]);
  });

  it('are named to a plugin that imports what is internal', async () => {
    await folders.add('curious', { files: { 'index.js': "require('@gantry/host/dist/common/logger.js')" } });
    expect(reasonOf(await run(), 'curious')).toMatch(
      / @gantry\/host\/dist\/common\/logger\.js, .* @gantry\/plugin-api, @gantry\/contracts, @gantry\/ui/,
    );
  });

  it('accept every way in which a package can export its definition', async () => {
    const define = "require('@gantry/plugin-api').definePlugin";
    await folders.add('exports-object', {
      files: { 'index.js': `module.exports = ${define}({ id: 'exports-object' })` },
    });
    await folders.add('exports-default', {
      files: {
        'index.js': `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = ${define}({ id: 'exports-default' })`,
      },
    });
    await folders.add('module-file', {
      json: { main: './index.mjs' },
      files: {
        'index.mjs':
          "import { definePlugin } from '@gantry/plugin-api'; export default definePlugin({ id: 'module-file' })",
      },
    });
    const result = await run();
    expect(result.registered.map(({ id }) => id)).toEqual(['exports-default', 'exports-object', 'module-file']);
  });
});

function reasonOf(result: RegistryRun, id: string): string | undefined {
  return reportOf(result, id).problems[0]?.reason;
}
