import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describePlugin } from '@gantry/plugin-api/testing';

const project = join(__dirname, '../..');

// Every shipped package is held to the contract, whenever it was added.
const shipped = ['plugins', 'services'].flatMap((parent) => foldersIn(parent).filter(isPluginPackage));

// As third parties do it: a package in CommonJS and one in ESM, each with a type that refers to a type of another plugin; and types
// whose items go with what they refer to, have addresses that are made from their names, forms with tabs and conditions, or a field of every kind; and one with days, times and options.
const samples = [
  join(project, 'test/samples/recipes'),
  join(project, 'test/samples/reviews'),
  join(project, 'test/samples/banners'),
  join(project, 'test/samples/beehives'),
  join(project, 'test/samples/related'),
  join(project, 'test/samples/seo'),
  join(project, 'test/samples/assortment'),
  join(project, 'test/e2e/admin/fixtures/rooms'),
  join(project, 'test/e2e/admin/fixtures/agenda'),
];

// As they were built on earlier versions of the plugin API: every later version of the same major runs them unchanged.
const earlier = foldersIn('test/compatibility/fixtures/plugins');

// In one platform, whose start takes more processor time than the checks.
describePlugin([...shipped, ...samples, ...earlier], {
  project,
  values: {
    'mediaimage.address': () => `/media/${randomBytes(32).toString('hex')}.png`,
    'course.startsOn': () => '2026-11-21',
  },
});

function foldersIn(parent: string): readonly string[] {
  return readdirSync(join(project, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(project, parent, name));
}

function isPluginPackage(folder: string): boolean {
  const json: object = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return 'gantry' in json;
}
