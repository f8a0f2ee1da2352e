import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partsOfPage } from '../support/page-commands';

const files = partsOfPage('writing-a-field-kind.md').filter((part) => part.kind === 'file');

describe('the sample of docs/writing-a-field-kind.md', () => {
  it.each(files.filter(({ path }) => path !== 'check.mjs'))(
    'has the file $path as the page shows it',
    ({ path, content }) => {
      expect(content).toBe(readFileSync(join(__dirname, '../samples/geo', path), 'utf8'));
    },
  );

  it('is complete', () => {
    expect(files.map(({ path }) => path)).toEqual([
      'package.json',
      'lib/point-kind.js',
      'lib/index.js',
      'ui/index.js',
      'check.mjs',
    ]);
  });
});
