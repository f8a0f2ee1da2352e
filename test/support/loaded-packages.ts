import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const host = join(__dirname, '..', '..', 'core/host/package.json');

/**
 * Which of the packages a process of Node.js has loaded when it has loaded the modules.
 * @param modules absolute paths, or names that the host resolves
 * @param packages names that the host resolves
 */
export function loadedPackages(modules: readonly string[], packages: readonly string[]): readonly string[] {
  const script = `
    const { resolve } = require('node:module').createRequire(${JSON.stringify(host)});
    for (const name of ${JSON.stringify(modules)}) require(resolve(name));
    const loaded = new Set(Object.keys(require.cache));
    console.log(JSON.stringify(${JSON.stringify(packages)}.filter((name) => loaded.has(resolve(name)))));
    process.exit();
  `;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })) as readonly string[];
}
