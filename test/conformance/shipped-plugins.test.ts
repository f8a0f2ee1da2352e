import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describePlugin } from '@gantry/plugin-api/testing';

const project = join(__dirname, '../..');

// Whatever is shipped is held to the contract, whenever it was added.
describePlugin(['plugins', 'services'].flatMap(pluginFolders), {
  project,
  values: { 'mediaimage.address': () => `/media/${randomBytes(32).toString('hex')}.png` },
});

function pluginFolders(parent: string): readonly string[] {
  return readdirSync(join(project, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(project, parent, name))
    .filter(isPluginPackage);
}

function isPluginPackage(folder: string): boolean {
  const json: object = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return 'gantry' in json;
}
