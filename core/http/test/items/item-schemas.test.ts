import { listQuery } from '../../src/items/item-schemas';

function messageOf(query: Readonly<Record<string, string>>): string {
  return (
    listQuery
      .safeParse(query)
      .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
      .join() ?? ''
  );
}

describe('the query of a list', () => {
  it.each(['-1', '0', '1001', '1e9', '1000000000', '1.5', '', ' 5', '5 ', '0x5', '٣', 'NaN', '9'.repeat(400)])(
    'refuses the limit %j',
    (limit) => {
      expect(messageOf({ limit })).toMatch(/^limit .* 1 to 1000; /);
    },
  );

  it('takes limits from one to a thousand', () => {
    expect(['1', '1000', '007'].map((limit) => listQuery.parse({ limit }).limit)).toEqual([1, 1000, 7]);
  });

  it.each(['TRUE', '1', '', 'yes'])('refuses %j for total', (total) => {
    expect(messageOf({ total })).toMatch(new RegExp(`^total .*"${total}"`));
  });

  it('names all that is wrong', () => {
    expect(messageOf({ limit: '0', strict: 'no', q: ' ' })).toMatch(/^limit .*,strict .*,q must not be blank/);
  });
});
