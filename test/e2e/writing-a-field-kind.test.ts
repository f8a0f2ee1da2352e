import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefinedFieldKind, KindField } from '@gantry/plugin-api';
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

describe('its kind', () => {
  const { pointKind } = jest.requireActual<{ readonly pointKind: DefinedFieldKind }>(
    '../samples/geo/lib/point-kind.js',
  );
  const kind = pointKind.of('geo');
  const field = {} as KindField;
  const codeOrValue = (read: ReturnType<typeof kind.parse>): unknown => (read.ok ? read.value : read.code);

  it.each([
    ['47.3769, 8.5417', '(8.5417,47.3769)'],
    ['-0.5,1e-05', '(0.00001,-0.5)'],
    ['12,', 'WRONG_TYPE'],
    [',12', 'WRONG_TYPE'],
    ['12', 'WRONG_TYPE'],
    ['1,2,3', 'WRONG_TYPE'],
    ['1,2,junk', 'WRONG_TYPE'],
    ['0x10,1', 'WRONG_TYPE'],
    ['007,1', 'WRONG_TYPE'],
    ['+1,1', 'WRONG_TYPE'],
    ['Infinity,1', 'WRONG_TYPE'],
    ['91,1', 'OUT_OF_RANGE'],
  ])('reads %j as it is in cells and criteria, or refuses it', (text, expected) => {
    expect(codeOrValue(kind.parse(kind.fromCell(text), field))).toBe(expected);
    expect(codeOrValue(kind.convert(text, field))).toBe(expected);
    const bound = kind.operators['EQUALS']?.bind(text, field, kind);
    expect(bound?.ok ? bound.value.value : bound?.code).toBe(expected);
  });

  it.each(['45,5,48', '45,5,48,10,1', '48,5,45,10', 'a,b,c,d'])('refuses %j, which is no box', (text) => {
    expect(kind.operators['WITHIN']?.bind(text, field, kind)).toMatchObject({ ok: false });
  });
});
