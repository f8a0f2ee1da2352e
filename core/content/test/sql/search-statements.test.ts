import { firstOfEachTable } from '../../src/sql/search-statements';

/** A row of table, id, code, label, whether it matches, rank and key. */
const row = (table: string, id: string, rank: number, key: string | null) =>
  [table, id, null, null, 't', String(rank), key] as const;

describe('the first matches of each table', () => {
  it('are ordered by rank, then by the code points of what they are sorted by, then by the number of the id', () => {
    const sorted = [
      row('one', '9', 0, null),
      row('one', '10', 1, 'b'),
      row('one', '2', 2, 'a'),
      row('one', '9', 2, 'z\uffee'),
      row('one', '9', 2, 'z\u{1f600}'),
      row('one', '10', 2, 'z\u{1f600}'),
    ];

    expect(firstOfEachTable(sorted.toReversed())).toEqual(sorted);
  });

  it('are six of each, and those without a key come last', () => {
    const rows = ['one', 'two'].flatMap((table) => [
      row(table, '99', 3, null),
      ...Array.from({ length: 6 }, (_one, index) => row(table, String(index + 1), 3, 'k')),
    ]);

    const found = firstOfEachTable(rows);

    expect(found.filter(([table]) => table === 'one').map(([, id]) => id)).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(found).toHaveLength(12);
  });
});
