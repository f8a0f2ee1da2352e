import type { Failure } from '@gantry/contracts';
import type { ItemStore, ItemTypeClass } from '@gantry/plugin-api';
import { createOpenPolicy, type Policy, userScope } from '@gantry/core-content';
import { requestIdOf } from '@gantry/core-http';
import { emptyTables } from '../../../../../test/support/empty-tables';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems } from './serve-items';

export const Shelf = declareType('Shelf', { code: { required: true, searchable: true } }, { unique: [['code']] });
export const Book: ItemTypeClass = declareType('Book', {
  code: { required: true, searchable: true },
  shelf: { type: 'REFERENCE', targetEntity: () => Shelf, onDelete: 'cascade', searchable: true },
  sequel: { type: 'REFERENCE', targetEntity: () => Book, onDelete: 'cascade' },
  related: { type: 'REFERENCE', targetEntity: () => Book, cardinality: 'MULTIPLE' },
});
export const Review = declareType('Review', {
  code: { searchable: true },
  book: { type: 'REFERENCE', targetEntity: () => Book, required: true, onDelete: 'cascade' },
  second: { type: 'REFERENCE', targetEntity: () => Review as ItemTypeClass },
});
export const Loan = declareType('Loan', {
  code: { searchable: true },
  book: { type: 'REFERENCE', targetEntity: () => Book, onDelete: 'setNull', searchable: true },
  shelf: { type: 'REFERENCE', targetEntity: () => Shelf, onDelete: 'setNull' },
});
export const Collection = declareType('Collection', {
  code: { searchable: true },
  books: { type: 'REFERENCE', targetEntity: () => Book, cardinality: 'MULTIPLE', onDelete: 'removeLink' },
});
export const Invoice = declareType('Invoice', { code: {}, book: { type: 'REFERENCE', targetEntity: () => Book } });
const models = [Shelf, Book, Review, Loan, Collection, Invoice] as const;

/** Types that refer to each other with every `onDelete`, over HTTP and for plugins; empty before each test. */
export interface Shelves {
  readonly content: OpenTypes;
  readonly items: ItemStore;
  readonly address: string;
  /** Of the requests; the open one before each test. */
  policy: Policy;
  /** Notes of the hooks of reviews and loans. */
  readonly hooked: string[];
}

export function useShelves(): Shelves {
  const bench = { hooked: [] as string[] } as unknown as { -readonly [Name in keyof Shelves]: Shelves[Name] };
  let close: () => Promise<void>;
  beforeAll(async () => {
    bench.content = await openTypes(models);
    bench.items = bench.content.items('workshop');
    const served = await serveItems(bench.content, (request) => userScope(bench.policy, '7', requestIdOf(request)));
    bench.address = served.address;
    close = () => served.close();
    Review.addHook('beforeDestroy', (review) => void bench.hooked.push(`deleted ${String(review.get('code'))}`));
    Loan.addHook('beforeUpdate', (loan) => void bench.hooked.push(`changed ${String(loan.get('code'))}`));
  });
  beforeEach(async () => {
    bench.policy = createOpenPolicy(bench.content.types);
    bench.hooked.length = 0;
    await bench.content.rows(emptyTables('workshop_%', 'gantry_change'));
  });
  afterAll(() => close());
  return bench;
}

/** Creates an item. @returns its id */
export async function add(
  { items }: Shelves,
  model: ItemTypeClass,
  code: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await items.of(model).create({ code, ...values } as never)).id;
}

/** A shelf with two books, two reviews of the first, a loan of each and of the shelf, and a collection of both and another book. */
export async function fill(bench: Shelves) {
  const shelf = await add(bench, Shelf, 'S');
  const book = (code: string, values = {}) => add(bench, Book, code, values);
  const [a, b, other] = [await book('A', { shelf }), await book('B', { shelf }), await book('O')];
  const reviews = [await add(bench, Review, 'r1', { book: a }), await add(bench, Review, 'r2', { book: a })];
  const loans = [await add(bench, Loan, 'l1', { book: a, shelf }), await add(bench, Loan, 'l2', { book: b })];
  const collection = await add(bench, Collection, 'c', { books: [b, other, a] });
  return { shelf, a, b, other, reviews, loans, collection };
}

export async function destroy({ address }: Shelves, path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${address}/api/cms/items/${path}`, { method: 'DELETE', headers });
  const { error } = (response.status === 204 ? {} : await response.json()) as Partial<Failure>;
  return { status: response.status, error };
}

/** How many shelves, books, reviews, loans and collections there are. */
export function counts({ items }: Shelves): Promise<readonly number[]> {
  return Promise.all([Shelf, Book, Review, Loan, Collection].map((model) => items.of(model).count({})));
}
