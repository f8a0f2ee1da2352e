import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const command = join(__dirname, '..', 'bin', 'gantry.js');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-create-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @returns the steps that the command prints */
function create(): readonly string[] {
  const words = [command, 'plugins', 'create', 'recipes', '--no-install'];
  const output = execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
  return output.split('\n').flatMap((line) => /^ {2}(.+?)(?: {2,}.*)?$/.exec(line)?.[1] ?? []);
}

describe('gantry plugins create --no-install', () => {
  it('installs in the folder of the plugin outside a project', () => {
    expect(create()).toEqual(['cd recipes && npm install', 'cd recipes && npm run dev', 'cd recipes && npm test']);
  });

  it('installs in the folder of the project, whose workspace the plugin is', () => {
    writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "@gantry/cli": "^1.1.0" } }');

    expect(create()).toEqual([
      'npm install',
      'npm start',
      'cd plugins/recipes && npm run dev',
      'cd plugins/recipes && npm test',
    ]);
  });
});
