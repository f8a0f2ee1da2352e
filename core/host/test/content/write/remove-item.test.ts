import { itemActions, type Failure, type Grant } from '@gantry/contracts';
import type { ItemTypeClass, ItemStore } from '@gantry/plugin-api';
import { createOpenPolicy } from '../../../src/content/policy/open-policy';
import type { Policy } from '../../../src/content/policy/policy';
import { createRolePolicy } from '../../../src/content/policy/role-policy';
import { userScope } from '../../../src/content/policy/scope';
import { requestIdOf } from '../../../src/http/exchange/request-context';
import { declareType } from '../support/declare-type';
import { openTypes, type OpenTypes } from '../support/open-types';
import { serveItems, type ServedItems } from '../support/serve-items';

const Shelf = declareType('Shelf', { code: { required: true, searchable: true } }, { unique: [['code']] });
const Book: ItemTypeClass = declareType('Book', {
  code: { required: true, searchable: true },
  shelf: { type: 'REFERENCE', targetEntity: () => Shelf, onDelete: 'cascade', searchable: true },
  sequel: { type: 'REFERENCE', targetEntity: () => Book, onDelete: 'cascade' },
});
const Review = declareType('Review', {
  code: { searchable: true },
  book: { type: 'REFERENCE', targetEntity: () => Book, required: true, onDelete: 'cascade' },
  second: { type: 'REFERENCE', targetEntity: () => Review as ItemTypeClass },
});
const Loan = declareType('Loan', {
  code: { searchable: true },
  book: { type: 'REFERENCE', targetEntity: () => Book, onDelete: 'setNull', searchable: true },
  shelf: { type: 'REFERENCE', targetEntity: () => Shelf, onDelete: 'setNull' },
});
const Collection = declareType('Collection', {
  code: { searchable: true },
  books: { type: 'REFERENCE', targetEntity: () => Book, cardinality: 'MULTIPLE', onDelete: 'removeLink' },
});
const Invoice = declareType('Invoice', { code: {}, book: { type: 'REFERENCE', targetEntity: () => Book } });
const models = [Shelf, Book, Review, Loan, Collection, Invoice] as const;
const hooked: string[] = [];

let content: OpenTypes;
let served: ServedItems;
let items: ItemStore;
let policy: Policy;

beforeAll(async () => {
  content = await openTypes(models);
  items = content.items('workshop');
  policy = createOpenPolicy(content.types);
  served = await serveItems(content, (request) => userScope(policy, '7', requestIdOf(request)));
  Review.addHook('beforeDestroy', (review) => void hooked.push(`deleted ${String(review.get('code'))}`));
  Loan.addHook('beforeUpdate', (loan) => void hooked.push(`changed ${String(loan.get('code'))}`));
});

beforeEach(async () => {
  policy = createOpenPolicy(content.types);
  hooked.length = 0;
  const tables = [...models.map(({ name }) => `workshop_${name.toLowerCase()}`), 'workshop_collection_books'];
  await content.rows(`TRUNCATE ${tables.join(', ')}, gantry_change RESTART IDENTITY`);
});

afterAll(() => served.close());

async function add(
  model: ItemTypeClass,
  code: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await items.of(model).create({ code, ...values } as never)).id;
}

/** A shelf with two books, two reviews of the first, a loan of each and of the shelf, and a collection of both and another book. */
async function library() {
  const shelf = await add(Shelf, 'S');
  const [a, b, other] = [await add(Book, 'A', { shelf }), await add(Book, 'B', { shelf }), await add(Book, 'O')];
  const reviews = [await add(Review, 'r1', { book: a }), await add(Review, 'r2', { book: a })];
  const loans = [await add(Loan, 'l1', { book: a, shelf }), await add(Loan, 'l2', { book: b })];
  const collection = await add(Collection, 'c', { books: [b, other, a] });
  return { shelf, a, b, other, reviews, loans, collection };
}

async function destroy(path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${served.address}/api/cms/items/${path}`, { method: 'DELETE', headers });
  const { error } = (response.status === 204 ? {} : await response.json()) as Partial<Failure>;
  return { status: response.status, error };
}

const counts = async (): Promise<readonly number[]> =>
  Promise.all([Shelf, Book, Review, Loan, Collection].map((model) => items.of(model).count({})));

describe('a deletion that concerns other items', () => {
  it('is refused with its plan, and happens when that is confirmed', async () => {
    const { shelf, other, loans, collection } = await library();

    const { status, error } = await destroy(`shelf/${shelf}`);
    expect([status, error?.code]).toEqual([409, 'CONFIRMATION_REQUIRED']);
    expect(error?.deletion).toEqual({
      confirm: 'book.delete=2,review.delete=2,loan.update=2,collection.update=1',
      effects: [
        {
          type: 'book',
          displayName: 'Book',
          displayNamePlural: 'Books',
          action: 'delete',
          count: 2,
          items: [
            { id: '1', label: 'A' },
            { id: '2', label: 'B' },
          ],
        },
        expect.objectContaining({ type: 'review', action: 'delete', count: 2 }),
        expect.objectContaining({ type: 'loan', action: 'update', count: 2 }),
        expect.objectContaining({ type: 'collection', action: 'update', count: 1 }),
      ],
    });
    expect(error?.message).toBe(
      'Deleting Shelf 1 also deletes 2 Books and deletes 2 Reviews and changes 2 Loans and changes 1 Collection. To confirm, send the same request with confirm=book.delete=2,review.delete=2,loan.update=2,collection.update=1.',
    );
    expect(await counts()).toEqual([1, 3, 2, 2, 1]);

    const { confirm = '' } = error?.deletion ?? {};
    expect(await destroy(`shelf/${shelf}?confirm=${encodeURIComponent(confirm)}`)).toMatchObject({ status: 204 });
    expect(await counts()).toEqual([0, 1, 0, 2, 1]);
    expect(await items.of(Collection).get(collection)).toMatchObject({ books: [other], version: 2 });
    expect(await items.of(Loan).get(loans[0] ?? '')).toMatchObject({ book: null, shelf: null, version: 2 });
    expect(hooked.toSorted()).toEqual(['changed l1', 'changed l2', 'deleted r1', 'deleted r2']);
  });

  it('writes a row of history for each item, by the one who deletes', async () => {
    const { shelf } = await library();
    await content.rows('TRUNCATE gantry_change');

    await destroy(`shelf/${shelf}?confirm=all`);

    const rows = await content.rows(
      "SELECT item_table, action, actor, previous->>'book' AS book FROM gantry_change ORDER BY item_table, item_id",
    );
    expect(rows).toEqual([
      ...[1, 2].map(() => ({ item_table: 'workshop_book', action: 'deleted', actor: 'user:7', book: null })),
      { item_table: 'workshop_collection', action: 'updated', actor: 'user:7', book: null },
      ...['1', '2'].map((book) => ({ item_table: 'workshop_loan', action: 'updated', actor: 'user:7', book })),
      ...[1, 2].map(() => ({ item_table: 'workshop_review', action: 'deleted', actor: 'user:7', book: null })),
      { item_table: 'workshop_shelf', action: 'deleted', actor: 'user:7', book: null },
    ]);
    expect(await content.rows('SELECT DISTINCT updated_by FROM workshop_loan')).toEqual([{ updated_by: '7' }]);
  });

  it('is refused again when more is concerned than was confirmed, and not when less is', async () => {
    const { shelf, a } = await library();
    await add(Review, 'r3', { book: a });
    const confirm = 'book.delete=9,review.delete=2,loan.update=9,collection.update=1';

    const refused = await destroy(`shelf/${shelf}?confirm=${confirm}`);
    expect(refused).toMatchObject({ status: 409, error: { code: 'CONFIRMATION_REQUIRED' } });
    expect(refused.error?.message).toContain('More is concerned now than was confirmed.');
    expect(await destroy(`shelf/${shelf}?confirm=${confirm.replace('review.delete=2', 'review.delete=3')}`)).toEqual({
      status: 204,
    });
  });

  it('needs no confirmation where it concerns none', async () => {
    const shelf = await add(Shelf, 'S');
    expect(await destroy(`shelf/${shelf}`)).toEqual({ status: 204 });
  });

  it('expects the version of the item before it looks for others', async () => {
    const { shelf } = await library();
    expect(await destroy(`shelf/${shelf}`, { 'if-match': '"5"' })).toMatchObject({ status: 412 });
  });

  it.each(['', 'yes', 'book.delete', 'book.drop=1', 'book.delete=-1', 'book.delete=1,,', 'all,book.delete=1'])(
    'says what confirm has to be: %j',
    async (confirm) => {
      const shelf = await add(Shelf, 'S');
      const { status, error } = await destroy(`shelf/${shelf}?confirm=${confirm}`);
      expect([status, error?.code]).toEqual([400, 'BAD_REQUEST']);
      expect(error?.message).toContain('confirm');
    },
  );
});

describe('items that refer to each other', () => {
  it('are deleted together, in any order of their references', async () => {
    const a = await add(Book, 'A');
    const b = await add(Book, 'B', { sequel: a });
    const c = await add(Book, 'C', { sequel: b });
    await items.of(Book).update(a, { sequel: c } as never);
    const first = await add(Review, 'r1', { book: a });
    await add(Review, 'r2', { book: c, second: first });

    expect(await destroy(`book/${b}?confirm=book.delete=2,review.delete=2`)).toEqual({ status: 204 });
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
  });

  it('are refused where another one must stay', async () => {
    const { shelf, b } = await library();
    await add(Invoice, 'i', { book: b });

    const { status, error } = await destroy(`shelf/${shelf}?confirm=all`);
    expect([status, error?.code]).toEqual([409, 'ITEM_REFERENCED']);
    expect(error?.message).toBe(
      'Failed to delete Shelf: 1, or what would be deleted with it, is referred to by 1 Invoice (book). Change or delete these items first.',
    );
    expect(error?.details).toEqual([
      {
        path: 'invoice.book',
        code: 'REFERENCED_BY',
        message: '1 item refers to it',
        items: [{ id: '1', label: 'i' }],
      },
    ]);
    expect(await counts()).toEqual([1, 3, 2, 2, 1]);
  });

  it('are at most a thousand', async () => {
    const shelf = await add(Shelf, 'S');
    await content.rows(
      `INSERT INTO workshop_book (code, shelf_id) SELECT 'b' || n, ${shelf} FROM generate_series(1, 1001) n`,
    );

    const { status, error } = await destroy(`shelf/${shelf}?confirm=all`);
    expect([status, error?.code]).toEqual([409, 'CONFLICT']);
    expect(error?.message).toContain('more than 1000 other items would be deleted or changed with 1');
    await content.rows('DELETE FROM workshop_book WHERE id = 1');
    expect(await destroy(`shelf/${shelf}?confirm=book.delete=1000`)).toEqual({ status: 204 });
  });
});

describe('by a role', () => {
  const all = (type: string, grant: Partial<Grant> = {}): Grant => ({
    on: { plugin: 'workshop', type },
    actions: itemActions,
    ...grant,
  });
  const rest = ['review', 'loan', 'collection'].map((type) => all(type));

  it.each<[string, readonly Grant[], string, readonly string[]]>([
    [
      'may not delete',
      [...rest, all('book', { actions: ['read', 'update'] })],
      'you have no right to delete 2 Book that would be deleted with it',
      ['book'],
    ],
    [
      'may delete one only',
      [
        ...rest,
        all('book', { actions: ['read'] }),
        all('book', { actions: ['delete'], where: [{ field: 'code', operator: 'EQUALS', value: 'A' }] }),
      ],
      'you have no right to delete 1 Book that would be deleted with it',
      ['book'],
    ],
    [
      'may not change',
      [all('book'), all('review'), all('collection'), all('loan', { actions: ['read', 'delete'] })],
      'you have no right to change 2 Loan that would be changed with it',
      ['loan'],
    ],
    [
      'may not change the field of',
      [all('book'), all('review'), all('collection'), all('loan', { writableFields: ['code'] })],
      'you have no right to change 2 Loan that would be changed with it',
      ['loan'],
    ],
    [
      'may change as long as they refer to it',
      [
        all('book'),
        all('review'),
        all('collection'),
        all('loan', { where: [{ field: 'book', operator: 'EMPTY', value: 'false' }] }),
      ],
      'you have no right to change 2 Loan that would be changed with it',
      ['loan'],
    ],
    [
      'does not see',
      [all('book'), all('review'), all('collection')],
      'items that are not shown here would be deleted or changed',
      [],
    ],
  ])('that %s the others, it is refused with their number', async (_case, grants, expected, named) => {
    const { shelf } = await library();
    policy = createRolePolicy(content.types, [all('shelf'), ...grants], { id: '7', login: 'ann@example.org' });

    const { status, error } = await destroy(`shelf/${shelf}?confirm=all`);

    expect([status, error?.code]).toEqual([409, 'ITEM_REFERENCED']);
    expect(error?.message).toBe(`Failed to delete Shelf: ${expected}. Change or delete these items first.`);
    expect(error?.details?.map(({ path }) => path)).toEqual(named);
    policy = createOpenPolicy(content.types);
    expect(await counts()).toEqual([1, 3, 2, 2, 1]);
  });

  it('that may do it all, it happens', async () => {
    const { shelf } = await library();
    policy = createRolePolicy(content.types, [all('shelf'), all('book'), ...rest], { id: '7', login: 'ann' });
    expect(await destroy(`shelf/${shelf}?confirm=all`)).toEqual({ status: 204 });
  });
});

describe('at the same time as other writes', () => {
  it('no item is left that refers to a deleted one, and none is deleted that was not confirmed', async () => {
    const shelf = await add(Shelf, 'S');
    for (let number = 1; number <= 5; number += 1) await add(Book, `b${number}`, { shelf });
    const created = Array.from({ length: 20 }, (_, number) =>
      add(Book, `n${number}`, { shelf }).then(
        () => true,
        () => false,
      ),
    );

    const [{ status }, outcomes] = await Promise.all([
      destroy(`shelf/${shelf}?confirm=book.delete=5`),
      Promise.all(created),
    ]);

    const left = await items.of(Book).count({});
    const made = outcomes.filter(Boolean).length;
    expect([204, 409]).toContain(status);
    // Either it came before all of them, which are refused, or it is refused because of those that came before.
    expect([left, status === 204 ? made : 0]).toEqual([status === 204 ? 0 : 5 + made, 0]);
  });

  it('two deletions that concern the same items both come to an end', async () => {
    const shelves = [await add(Shelf, 'S'), await add(Shelf, 'T')];
    const books = [await add(Book, 'A', { shelf: shelves[0] }), await add(Book, 'B', { shelf: shelves[1] })];
    await items.of(Book).update(books[0] ?? '', { sequel: books[1] } as never);
    await items.of(Book).update(books[1] ?? '', { sequel: books[0] } as never);

    const ends = await Promise.all(shelves.map((shelf) => destroy(`shelf/${shelf}?confirm=all`)));

    expect(ends.map(({ status }) => status)).toEqual([204, 204]);
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('in code of plugins', () => {
  it('is confirmed by an option', async () => {
    const { shelf, a } = await library();
    const shelves = items.of(Shelf);

    await expect(shelves.remove(shelf)).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
    await expect(shelves.remove(shelf, { confirm: 'book.delete=1' })).rejects.toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
    });
    await expect(shelves.remove(shelf, { confirm: 7 } as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(shelves.removeWhere({ id: shelf })).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
    await items
      .of(Book)
      .remove(a, { confirm: 'review.delete=2,loan.update=1,collection.update=1', expectedVersion: 1 });
    await shelves.removeWhere({ id: shelf }, { confirm: true });
    expect(await counts()).toEqual([0, 1, 0, 2, 1]);
  });

  it('deletes all that are meant, also where one goes with another', async () => {
    const a = await add(Book, 'A');
    const b = await add(Book, 'B', { sequel: a });
    const removed = await items.of(Book).removeWhere({ id: { in: [a, b] } }, { confirm: true });
    expect(removed.map(({ id }) => id)).toEqual([a, b]);
  });
});

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
    const response = await fetch(`${served.address}/api/cms/items/book/${query}`);
    return { status: response.status, ...((await response.json()) as Answer) };
  }

  it('is listed by field, with what a deletion does to it', async () => {
    const { a } = await library();
    await add(Invoice, 'i', { book: a });
    const { data } = await references(`${a}/references`);
    expect(data.map(({ field, count, onDelete }) => [field, count, onDelete])).toEqual([
      ['books', 1, 'removeLink'],
      ['book', 1, undefined],
      ['book', 1, 'setNull'],
      ['book', 2, 'cascade'],
    ]);
  });

  it.each(['review.book', 'collection.books'])('is read page by page: %s', async (field) => {
    const { a } = await library();
    for (let number = 0; number < 5; number += 1) {
      await (field === 'review.book' ? add(Review, 'r', { book: a }) : add(Collection, 'c', { books: [a] }));
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
    const { a } = await library();
    const actions = itemActions;
    policy = createRolePolicy(
      content.types,
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
      'field must name a type and its field that refers to Book; got loan.book, known are book.sequel, review.book.',
    );
  });

  it.each(['limit=2', 'after=1', 'field=review.code', 'field=review.book&after=x', 'field=review.book&limit=0'])(
    'says what is wrong with %s',
    async (query) => {
      const { a } = await library();
      expect(await references(`${a}/references?${query}`)).toMatchObject({ status: 400 });
    },
  );
});
