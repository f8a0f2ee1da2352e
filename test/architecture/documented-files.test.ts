import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const pages = ['docs/architecture.md', 'CONTRIBUTING.md'];
const folders = /^(?:contracts|core|plugins|services|cli|test|docs|scripts)\//;

describe.each(pages)('%s', (page) => {
  it('names files and folders that exist', () => {
    const names = [...readFileSync(join(root, page), 'utf8').matchAll(/`([\w.-]+(?:\/[\w.-]*)+)`/g)].flatMap(
      ([, name = '']) => (folders.test(name) ? name : []),
    );
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });
});
