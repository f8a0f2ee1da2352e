import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { strict as assert } from 'node:assert';
import type { PluginCheck } from './plugin-check';
import { member, type PluginPackage } from '../plugin-package';

/** Packages that the host provides; a separate copy in a plugin would be another library to the host (design, rule 5). */
const provided = ['@gantry/plugin-api', 'sequelize', 'sequelize-typescript', 'reflect-metadata'];

/** Checks of the package that run none of its code. */
export function packageChecks(): readonly PluginCheck[] {
  return [
    packageCheck('has a package.json that can be read', ({ unreadable }) => {
      assert.equal(unreadable, undefined, `package.json cannot be read: ${unreadable}`);
    }),
    packageCheck('has name and version', ({ json }) => {
      assert.match(text(json['name']), /\S/, 'package.json has no name');
      assert.match(text(json['version']), /^\d+\.\d+\.\d+/, 'package.json has no semantic version');
    }),
    packageCheck('has a manifest of version 1', ({ json }) => {
      assert.equal(member(json, 'gantry')['manifestVersion'], 1, 'gantry.manifestVersion must be 1');
    }),
    packageCheck('has an id that can be used in names of tables and in log lines', ({ id }) => {
      assert.match(id, /^[a-z][a-z0-9-]{1,39}$/, `gantry.id is "${id}"; expected [a-z][a-z0-9-]{1,39}`);
    }),
    packageCheck('has the keyword gantry-plugin', ({ json }) => {
      assert.ok(
        Array.isArray(json['keywords']) && json['keywords'].includes('gantry-plugin'),
        'keywords lack gantry-plugin',
      );
    }),
    packageCheck('has the plugin API as a peer dependency, with the range it was built for', ({ json }) => {
      const range = member(json, 'peerDependencies')['@gantry/plugin-api'];
      assert.equal(typeof range, 'string', 'peerDependencies["@gantry/plugin-api"] is missing');
    }),
    packageCheck('says in words why its routes use all items, where they do', ({ systemScope }) => {
      if (systemScope === undefined) return;
      const isReason = typeof systemScope === 'string' && /^(?=.*\p{L}+\P{L}+\p{L}+)\P{Cc}{1,200}$/u.test(systemScope);
      assert.ok(
        isReason,
        `gantry.systemScope is ${JSON.stringify(systemScope)}; expected the reason in words, one line of at most 200 characters`,
      );
    }),
    packageCheck('contains no copy of a package that the platform provides', ({ json }) => {
      const bundled = [json['bundleDependencies'], json['bundledDependencies']].flat();
      const shipped = { ...member(json, 'dependencies'), ...member(json, 'optionalDependencies') };
      const own = provided.filter((name) => name in shipped || bundled.includes(name));
      assert.deepEqual(own, [], `${own.join(', ')} must be peerDependencies and devDependencies, not dependencies`);
    }),
    packageCheck('has been built', ({ json, folder }) => {
      const main = json['main'];
      if (typeof main !== 'string') return;
      const file = join(folder, main);
      assert.ok(existsSync(file) && statSync(file).isFile(), `${main} does not exist: build the plugin first`);
    }),
  ];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function packageCheck(name: string, verify: (plugin: PluginPackage) => void): PluginCheck {
  return { name, run: async ({ plugin }) => verify(plugin) };
}
