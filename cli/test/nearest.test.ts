import { nearest } from '../src/common/nearest';
import { counted, table } from '../src/terminal/table';

describe('the word that was probably meant', () => {
  it.each([
    ['plugns', 'plugins'],
    ['tpyes', 'types'],
    ['DOCTOR', 'doctor'],
    ['item', 'items'],
    ['xyzzy', undefined],
    ['', undefined],
  ])('for %j is %j', (word, expected) => {
    expect(nearest(word, ['plugins', 'types', 'doctor', 'items'])).toBe(expected);
  });
});

describe('a table', () => {
  it('has its columns in line, whatever colours the cells have, and no spaces at the end', () => {
    expect(
      table(
        ['ID', 'STATE', ''],
        [
          ['long-name', '\u001b[31mfailed\u001b[39m', 'x'],
          ['ü', 'ok', ''],
        ],
      ),
    ).toBe('ID         STATE\nlong-name  \u001b[31mfailed\u001b[39m  x\nü          ok');
  });

  it('counts in words', () => {
    expect([counted(1, 'item'), counted(1200, 'item'), counted(2, 'index', 'indexes')]).toEqual([
      '1 item',
      '1,200 items',
      '2 indexes',
    ]);
  });
});
