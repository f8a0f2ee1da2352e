import { itemActions } from '@gantry/contracts';
import { createRolePolicy } from '../../../src/content/policy/role-policy';
import { add, Collection, fill, Invoice, Review, useShelves } from '../support/shelves';

const bench = useShelves();

describe('what refers to an item', () => {
  interface Answer {
    readonly data: readonly {
      readonly field: string;
      readonly count: number;
      readonly onDelete?: string;
      readonly items: readonly { readonly id: string }[];
    }[];
    readonly meta?: { readonly nextCursor?: string };
    readonly error?: { readonly message: string };
  }
  async function references(query: string): Promise<Answer & { readonly status: number }> {
    const response = await fetch(`${bench.address}/api/cms/items/book/${query}`);
    return { status: response.status, ...((await response.json()) as Answer) };
  }

  it('is listed by field, with what a deletion does to it', async () => {
    const { a } = await fill(bench);
    await add(bench, Invoice, 'i', { book: a });
    const { data } = await references(`${a}/references`);
    expect(data.map(({ field, count, onDelete }) => [field, count, onDelete])).toEqual([
      ['books', 1, 'removeLink'],
      ['book', 1, undefined],
      ['book', 1, 'setNull'],
      ['book', 2, 'cascade'],
    ]);
  });

  it.each(['review.book', 'collection.books'])('is read page by page: %s', async (field) => {
    const { a } = await fill(bench);
    for (let number = 0; number < 5; number += 1) {
      await (field === 'review.book'
        ? add(bench, Review, 'r', { book: a })
        : add(bench, Collection, 'c', { books: [a] }));
    }
    const total = field === 'review.book' ? 7 : 6;
    const ids: string[] = [];
    let after = '';
    do {
      const { data, meta } = await references(`${a}/references?field=${field}&limit=2${after}`);
      expect(data.map(({ count }) => count)).toEqual([total]);
      ids.push(...(data[0]?.items ?? []).map(({ id }) => id));
      after = meta?.nextCursor === undefined ? '' : `&after=${meta.nextCursor}`;
    } while (after !== '');
    expect(ids).toEqual(Array.from({ length: total }, (_, index) => String(index + 1)));
  });

  it('is not shown where a policy hides it', async () => {
    const { a } = await fill(bench);
    const actions = itemActions;
    bench.policy = createRolePolicy(
      bench.content.types,
      [
        { on: { plugin: 'workshop', type: 'book' }, actions },
        {
          on: { plugin: 'workshop', type: 'review' },
          actions,
          where: [{ field: 'code', operator: 'EQUALS', value: 'r2' }],
        },
      ],
      { id: '7', login: 'ann@example.org' },
    );
    const { data, meta } = await references(`${a}/references?field=review.book&limit=1`);
    expect([data, meta]).toEqual([
      [expect.objectContaining({ count: 1, items: [{ id: '2', label: 'r2' }] })],
      undefined,
    ]);
    const hidden = await references(`${a}/references?field=loan.book`);
    expect(hidden.error?.message).toBe(
      'field must name a type and its field that refers to Book; got loan.book, known are book.sequel, book.related, review.book.',
    );
  });

  it.each(['limit=2', 'after=1', 'field=review.code', 'field=review.book&after=x', 'field=review.book&limit=0'])(
    'says what is wrong with %s',
    async (query) => {
      const { a } = await fill(bench);
      expect(await references(`${a}/references?${query}`)).toMatchObject({ status: 400 });
    },
  );
});
