import { itemActions, type Grant } from '@gantry/contracts';
import { withoutTriggers } from '../../../../../test/support/without-triggers';
import { createOpenPolicy, createRolePolicy } from '@gantry/core-content';
import {
  add,
  Book,
  Collection,
  counts,
  destroy,
  fill,
  Invoice,
  Loan,
  Review,
  Shelf,
  useShelves,
} from '../support/shelves';

const bench = useShelves();

describe('a deletion that concerns other items', () => {
  it('is refused with its plan, and happens when that is confirmed', async () => {
    const { shelf, other, loans, collection } = await fill(bench);

    const { status, error } = await destroy(bench, `shelf/${shelf}`);
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
    expect(error?.message).toMatch(
      / Shelf 1 .* deletes 2 Books .* 2 Reviews .* changes 2 Loans .* 1 Collection\..* confirm=book\.delete=2,review\.delete=2,loan\.update=2,collection\.update=1\.$/,
    );
    expect(await counts(bench)).toEqual([1, 3, 2, 2, 1]);

    const { confirm = '' } = error?.deletion ?? {};
    expect(await destroy(bench, `shelf/${shelf}?confirm=${encodeURIComponent(confirm)}`)).toMatchObject({
      status: 204,
    });
    expect(await counts(bench)).toEqual([0, 1, 0, 2, 1]);
    expect(await bench.items.of(Collection).get(collection)).toMatchObject({ books: [other], version: 2 });
    expect(await bench.items.of(Loan).get(loans[0] ?? '')).toMatchObject({ book: null, shelf: null, version: 2 });
    expect(bench.hooked.toSorted()).toEqual(['changed l1', 'changed l2', 'deleted r1', 'deleted r2']);
  });

  it('writes a row of history for each item, by the one who deletes', async () => {
    const { shelf } = await fill(bench);
    await bench.content.rows('TRUNCATE gantry_change');

    await destroy(bench, `shelf/${shelf}?confirm=all`);

    const rows = await bench.content.rows(
      "SELECT item_table, action, actor, previous->>'book' AS book FROM gantry_change ORDER BY item_table, item_id",
    );
    expect(rows).toEqual([
      ...[1, 2].map(() => ({ item_table: 'workshop_book', action: 'deleted', actor: 'user:7', book: null })),
      { item_table: 'workshop_collection', action: 'updated', actor: 'user:7', book: null },
      ...['1', '2'].map((book) => ({ item_table: 'workshop_loan', action: 'updated', actor: 'user:7', book })),
      ...[1, 2].map(() => ({ item_table: 'workshop_review', action: 'deleted', actor: 'user:7', book: null })),
      { item_table: 'workshop_shelf', action: 'deleted', actor: 'user:7', book: null },
    ]);
    expect(await bench.content.rows('SELECT DISTINCT updated_by FROM workshop_loan')).toEqual([{ updated_by: '7' }]);
  });

  it('is refused again when more is concerned than was confirmed, and not when less is', async () => {
    const { shelf, a } = await fill(bench);
    await add(bench, Review, 'r3', { book: a });
    const confirm = 'book.delete=9,review.delete=2,loan.update=9,collection.update=1';

    const refused = await destroy(bench, `shelf/${shelf}?confirm=${confirm}`);
    expect(refused).toMatchObject({ status: 409, error: { code: 'CONFIRMATION_REQUIRED' } });
    expect(refused.error?.deletion?.confirm).toContain('review.delete=3');
    expect(
      await destroy(bench, `shelf/${shelf}?confirm=${confirm.replace('review.delete=2', 'review.delete=3')}`),
    ).toEqual({
      status: 204,
    });
  });

  it('needs no confirmation where it concerns none', async () => {
    const shelf = await add(bench, Shelf, 'S');
    expect(await destroy(bench, `shelf/${shelf}`)).toEqual({ status: 204 });
  });

  it('expects the version of the item before it looks for others', async () => {
    const { shelf } = await fill(bench);
    expect(await destroy(bench, `shelf/${shelf}`, { 'if-match': '"5"' })).toMatchObject({ status: 412 });
  });

  it.each(['', 'yes', 'book.delete', 'book.drop=1', 'book.delete=-1', 'book.delete=1,,', 'all,book.delete=1'])(
    'says what confirm has to be: %j',
    async (confirm) => {
      const shelf = await add(bench, Shelf, 'S');
      const { status, error } = await destroy(bench, `shelf/${shelf}?confirm=${confirm}`);
      expect([status, error?.code]).toEqual([400, 'BAD_REQUEST']);
      expect(error?.message).toContain('confirm');
    },
  );
});

describe('items that refer to each other', () => {
  it('are deleted together, in any order of their references', async () => {
    const a = await add(bench, Book, 'A');
    const b = await add(bench, Book, 'B', { sequel: a });
    const c = await add(bench, Book, 'C', { sequel: b });
    await bench.items.of(Book).update(a, { sequel: c } as never);
    const first = await add(bench, Review, 'r1', { book: a });
    await add(bench, Review, 'r2', { book: c, second: first });

    expect(await destroy(bench, `book/${b}?confirm=book.delete=2,review.delete=2`)).toEqual({ status: 204 });
    expect(await counts(bench)).toEqual([0, 0, 0, 0, 0]);
  });

  it('are refused where another one must stay', async () => {
    const { shelf, b } = await fill(bench);
    await add(bench, Invoice, 'i', { book: b });

    const { status, error } = await destroy(bench, `shelf/${shelf}?confirm=all`);
    expect([status, error?.code]).toEqual([409, 'ITEM_REFERENCED']);
    expect(error?.message).toContain(' 1 Invoice (book)');
    expect(error?.details).toEqual([
      {
        path: 'invoice.book',
        code: 'REFERENCED_BY',
        message: expect.stringContaining('1'),
        items: [{ id: '1', label: 'i' }],
      },
    ]);
    expect(await counts(bench)).toEqual([1, 3, 2, 2, 1]);
  });

  it('refer to each other a bounded number of times', async () => {
    const shelf = await add(bench, Shelf, 'S');
    await bench.content.rows(
      `INSERT INTO workshop_book (code, shelf_id) SELECT 'b' || n, ${shelf} FROM generate_series(1, 150) n`,
    );
    await bench.content.rows(
      withoutTriggers(
        'INSERT INTO workshop_book_related (item_id, target_id, position) SELECT a.id, b.id, b.id FROM workshop_book a, workshop_book b WHERE a.id <> b.id',
      ),
    );
    const { status, error } = await destroy(bench, `shelf/${shelf}?confirm=all`);
    expect([status, error?.code, error?.message]).toEqual([409, 'CONFLICT', expect.stringContaining(' 20000 times')]);
    const keepLinksUpTo = (id: number) =>
      bench.content.rows(
        withoutTriggers(`DELETE FROM workshop_book_related WHERE item_id > ${id} OR target_id > ${id}`),
      );
    await keepLinksUpTo(140);
    expect((await destroy(bench, `shelf/${shelf}`)).error?.deletion?.confirm).toBe('book.delete=150');
    await keepLinksUpTo(30);
    expect(await destroy(bench, `shelf/${shelf}?confirm=book.delete=150`)).toEqual({ status: 204 });
  });

  it('are at most a thousand', async () => {
    const shelf = await add(bench, Shelf, 'S');
    await bench.content.rows(
      `INSERT INTO workshop_book (code, shelf_id) SELECT 'b' || n, ${shelf} FROM generate_series(1, 1001) n`,
    );

    const { status, error } = await destroy(bench, `shelf/${shelf}?confirm=all`);
    expect([status, error?.code]).toEqual([409, 'CONFLICT']);
    expect(error?.message).toContain(' 1000 other items');
    await bench.content.rows('DELETE FROM workshop_book WHERE id = 1');
    expect((await destroy(bench, `shelf/${shelf}`)).error?.deletion?.confirm).toBe('book.delete=1000');
    await bench.content.rows('DELETE FROM workshop_book WHERE id > 250');
    expect(await destroy(bench, `shelf/${shelf}?confirm=book.delete=249`)).toEqual({ status: 204 });
  });
});

describe('by a role', () => {
  const all = (type: string, grant: Partial<Grant> = {}): Grant => ({
    on: { plugin: 'workshop', type },
    actions: itemActions,
    ...grant,
  });
  const rest = ['review', 'loan', 'collection'].map((type) => all(type));

  it.each<[string, readonly Grant[], RegExp, readonly string[]]>([
    ['may not delete', [...rest, all('book', { actions: ['read', 'update'] })], / delete 2 Book /, ['book']],
    [
      'may delete one only',
      [
        ...rest,
        all('book', { actions: ['read'] }),
        all('book', { actions: ['delete'], where: [{ field: 'code', operator: 'EQUALS', value: 'A' }] }),
      ],
      / delete 1 Book /,
      ['book'],
    ],
    [
      'may not change',
      [all('book'), all('review'), all('collection'), all('loan', { actions: ['read', 'delete'] })],
      / change 2 Loan /,
      ['loan'],
    ],
    [
      'may not change the field of',
      [all('book'), all('review'), all('collection'), all('loan', { writableFields: ['code'] })],
      / change 2 Loan /,
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
      / change 2 Loan /,
      ['loan'],
    ],
    ['does not see', [all('book'), all('review'), all('collection')], /not shown/, []],
  ])('that %s the others, it is refused with their number', async (_case, grants, expected, named) => {
    const { shelf } = await fill(bench);
    bench.policy = createRolePolicy(bench.content.types, [all('shelf'), ...grants], {
      id: '7',
      login: 'ann@example.org',
    });

    const { status, error } = await destroy(bench, `shelf/${shelf}?confirm=all`);

    expect([status, error?.code]).toEqual([409, 'ITEM_REFERENCED']);
    expect(error?.message).toMatch(expected);
    expect(error?.details?.map(({ path }) => path)).toEqual(named);
    bench.policy = createOpenPolicy(bench.content.types);
    expect(await counts(bench)).toEqual([1, 3, 2, 2, 1]);
  });

  it('that may do it all, it happens', async () => {
    const { shelf } = await fill(bench);
    bench.policy = createRolePolicy(bench.content.types, [all('shelf'), all('book'), ...rest], {
      id: '7',
      login: 'ann',
    });
    expect(await destroy(bench, `shelf/${shelf}?confirm=all`)).toEqual({ status: 204 });
  });
});

describe('at the same time as other writes', () => {
  it('no item is left that refers to a deleted one, and none is deleted that was not confirmed', async () => {
    const shelf = await add(bench, Shelf, 'S');
    for (let number = 1; number <= 5; number += 1) await add(bench, Book, `b${number}`, { shelf });
    const created = Array.from({ length: 20 }, (_, number) =>
      add(bench, Book, `n${number}`, { shelf }).then(
        () => true,
        () => false,
      ),
    );

    const [{ status }, outcomes] = await Promise.all([
      destroy(bench, `shelf/${shelf}?confirm=book.delete=5`),
      Promise.all(created),
    ]);

    const left = await bench.items.of(Book).count({});
    const made = outcomes.filter(Boolean).length;
    expect([204, 409]).toContain(status);
    // Either it came before all of them, which are refused, or it is refused because of those that came before.
    expect([left, status === 204 ? made : 0]).toEqual([status === 204 ? 0 : 5 + made, 0]);
  });

  it('two deletions that concern the same items both come to an end', async () => {
    const shelves = [await add(bench, Shelf, 'S'), await add(bench, Shelf, 'T')];
    const books = [
      await add(bench, Book, 'A', { shelf: shelves[0] }),
      await add(bench, Book, 'B', { shelf: shelves[1] }),
    ];
    await bench.items.of(Book).update(books[0] ?? '', { sequel: books[1] } as never);
    await bench.items.of(Book).update(books[1] ?? '', { sequel: books[0] } as never);

    const ends = await Promise.all(shelves.map((shelf) => destroy(bench, `shelf/${shelf}?confirm=all`)));

    expect(ends.map(({ status }) => status)).toEqual([204, 204]);
    expect(await counts(bench)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('in code of plugins', () => {
  it('is confirmed by an option', async () => {
    const { shelf, a } = await fill(bench);
    const shelves = bench.items.of(Shelf);

    await expect(shelves.remove(shelf)).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
    await expect(shelves.remove(shelf, { confirm: 'book.delete=1' })).rejects.toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
    });
    await expect(shelves.remove(shelf, { confirm: 7 } as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(shelves.removeWhere({ id: shelf }, { confirm: 'all' as never })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await expect(shelves.removeWhere({ id: shelf })).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
    await bench.items
      .of(Book)
      .remove(a, { confirm: 'review.delete=2,loan.update=1,collection.update=1', expectedVersion: 1 });
    await shelves.removeWhere({ id: shelf }, { confirm: true });
    expect(await counts(bench)).toEqual([0, 1, 0, 2, 1]);
  });

  it('deletes all that are meant, also where one goes with another', async () => {
    const a = await add(bench, Book, 'A');
    const b = await add(bench, Book, 'B', { sequel: a });
    const removed = await bench.items.of(Book).removeWhere({ id: { in: [a, b] } }, { confirm: true });
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
    expect(hidden.error?.message).toMatch(/ loan\.book, .* book\.sequel, book\.related, review\.book\.$/);
  });

  it.each(['limit=2', 'after=1', 'field=review.code', 'field=review.book&after=x', 'field=review.book&limit=0'])(
    'says what is wrong with %s',
    async (query) => {
      const { a } = await fill(bench);
      expect(await references(`${a}/references?${query}`)).toMatchObject({ status: 400 });
    },
  );
});
