import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(__dirname, '../..');
const limit = 15;

/** The folders of sources below a folder, of all packages in it. */
function sourceFolders(folder: string, isSource = false): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !/^(?:node_modules|dist|test|fixtures|\..*)$/.test(entry.name),
  );
  return [
    ...(isSource ? [folder] : []),
    ...entries.flatMap(({ name }) => sourceFolders(join(folder, name), isSource || name === 'src')),
  ];
}

describe('folders of sources', () => {
  const folders = ['contracts', 'core', 'plugins', 'services', 'cli'].flatMap((name) =>
    sourceFolders(join(root, name)),
  );

  it(`have at most ${limit} files, so that each can be seen at a glance`, () => {
    expect(folders.length).toBeGreaterThan(100);
    const crowded = folders.flatMap((folder) => {
      const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
      return files.length > limit ? `${relative(root, folder)}: ${files.length}` : [];
    });
    expect(crowded).toEqual([]);
  });
});
