import { conditionsIn, itemActions, type ItemAction, type ItemCondition } from '@gantry/contracts';
import fc from 'fast-check';
import { send, sendJson, type Answer } from '../../../../../test/support/rest-client';
import {
  keyFields,
  libraryFields,
  openLibrary,
  type Library,
  type TestRole,
  type TypeGrant,
} from '../support/library-pair';
import { emptyTables } from '../../../../../test/support/empty-tables';

/** Requests in all; the proof `rights` asks for thousands. */
const cases = Number(process.env['GANTRY_RIGHTS_CASES'] ?? 240);
const seed = Number(process.env['GANTRY_RIGHTS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const requestsOfARole = 40;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the oracle: the type and the actions that it takes. */
  readonly type?: string;
  readonly action?: ItemAction;
}

const types = Object.keys(libraryFields);
const someType = fc.constantFrom(...types);
const someId = fc.constantFrom('1', '2', '3', '4', '99');
const names = [...new Set(Object.values(libraryFields).flat()), 'unknown'];
const someField = fc.constantFrom(...names);
const someValue = fc.constantFrom<unknown>('a', 'b1', 'visible', 'x', 1, 2, 7, true, false, null, '', 'A-1', 'A-2');
const criteria = fc.array(
  fc.record({
    field: someField,
    operator: fc.constantFrom('EQUALS', 'CONTAINS', 'MORE_THAN', 'LESS_THAN'),
    value: someValue,
  }),
  { maxLength: 2 },
);
const payload = fc.dictionary(someField, someValue, { maxKeys: 4 });
const query = fc
  .record({
    sort: fc.option(fc.tuple(fc.constantFrom('', '-'), someField).map((parts) => parts.join(''))),
    q: fc.option(fc.constantFrom('a', 'visible', 'b1', 'secret')),
    total: fc.option(fc.constant('true')),
    cappedTotal: fc.option(fc.constant('true')),
    limit: fc.option(fc.constantFrom('1', '2', '50')),
  })
  .map((given) =>
    Object.entries(given)
      .flatMap(([name, value]) => (value === null ? [] : [`${name}=${encodeURIComponent(value)}`]))
      .join('&'),
  );

/** Fields of the type with values that it accepts. */
const validPayload = (type: string): fc.Arbitrary<object> =>
  fc
    .tuple(fc.subarray([...(libraryFields[type] ?? [])], { minLength: 1 }), fc.integer({ min: 1, max: 9 }))
    .map(([fields, number]) => Object.fromEntries(fields.map((field) => [field, validValue(field, number)])));
const withPayload = someType.chain((type) => fc.record({ type: fc.constant(type), body: validPayload(type) }));

/** Of the images of the items, shown and hidden, on one of the platforms or on both. */
const imageRequest = 'IMAGE';
const someImage = fc
  .tuple(fc.constantFrom('visible', 'a', 'b'), fc.integer({ min: 1, max: 9 }))
  .map(([variant, number]): Sent => ({ method: imageRequest, path: imageOf(variant, number) }));

/** Any request that reads or writes items, or shows what there is of them. */
const requests: fc.Arbitrary<Sent> = fc.oneof(
  fc.record({ type: someType, given: query, body: criteria }).map(({ type, given, body }): Sent => ({
    ...{ method: 'POST', path: `/api/cms/items/${type}/list?${given}`, body, type, action: 'read' },
  })),
  fc.record({ type: someType, body: criteria }).map(({ type, body }): Sent => ({
    ...{ method: 'POST', path: `/api/cms/items/${type}/search`, body, type, action: 'read' },
  })),
  fc.tuple(someType, someId, fc.constantFrom('GET', 'HEAD')).map(([type, id, method]): Sent => ({
    ...{ method, path: `/api/cms/items/${type}/${id}`, type, action: 'read' },
  })),
  fc.tuple(someType, fc.constantFrom('metadata', 'search-metadata')).map(([type, what]): Sent => ({
    ...{ method: 'GET', path: `/api/cms/items/${type}/${what}`, type, action: 'read' },
  })),
  fc.tuple(someType, someId, payload).map(([type, id, body]): Sent => ({
    ...{ method: 'PATCH', path: `/api/cms/items/${type}/${id}`, body, type, action: 'update' },
  })),
  fc.tuple(someType, payload).map(([type, body]): Sent => ({
    ...{ method: 'POST', path: `/api/cms/items/${type}`, body, type, action: 'create' },
  })),
  fc.tuple(withPayload, someId).map(([{ type, body }, id]): Sent => ({
    ...{ method: 'PATCH', path: `/api/cms/items/${type}/${id}`, body, type, action: 'update' },
  })),
  fc.tuple(withPayload, someId, fc.constantFrom('"1"', '"2"', '*')).map(([{ type, body }, id, version]): Sent => ({
    ...{ method: 'PATCH', path: `/api/cms/items/${type}/${id}`, body, type, action: 'update' },
    headers: { 'if-match': version },
  })),
  someId.map((id): Sent => ({
    method: 'DELETE',
    path: `/api/cms/items/review/${id}`,
    type: 'review',
    action: 'delete',
  })),
  withPayload.map(({ type, body }): Sent => ({
    ...{ method: 'POST', path: `/api/cms/items/${type}`, body, type, action: 'create' },
  })),
  fc.tuple(someType, criteria).map(([type, body]): Sent => ({
    ...{ method: 'POST', path: `/api/cms/exports/${type}`, body, type, action: 'export' },
  })),
  fc.tuple(someType, fc.array(payload, { maxLength: 2 }), fc.option(someField)).map(([type, body, match]): Sent => ({
    ...{ method: 'POST', path: `/api/cms/imports/${type}?dryRun=true${match === null ? '' : `&match=${match}`}`, body },
    ...{ type, action: 'import' },
  })),
  fc.tuple(someField, fc.constantFrom('visible', 'a', '1')).map(([field, value]): Sent => ({
    ...{ method: 'GET', path: `/api/platform/items?field=${field}&value=${value}` },
  })),
  fc
    .constantFrom('visible', 'secret', 'a')
    .map((q): Sent => ({ method: 'POST', path: `/api/cms/search`, body: { q } })),
  fc
    .constantFrom('/api/cms/items/types', '/api/platform/attention', '/api/platform/recent', '/api/platform/content')
    .map((path): Sent => ({ method: 'GET', path })),
  fc.constant<Sent>({ method: 'GET', path: '/api/openapi.json' }),
  someImage,
);

/** Conditions on ids, which are the same on both platforms. */
const someItems = fc
  .array(
    fc.record({
      field: fc.constant('id'),
      operator: fc.constantFrom('EQUALS', 'MORE_THAN', 'LESS_THAN'),
      value: fc.constantFrom('1', '2', '3', '4'),
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((conditions): readonly ItemCondition[] => conditions);

const typeGrant = (type: string): fc.Arbitrary<TypeGrant> => {
  const fields = [...(libraryFields[type] ?? [])];
  const withKey = (some: readonly string[]): readonly string[] => [...new Set([keyFields[type] ?? '', ...some])];
  const some = fc.record({
    actions: fc.subarray([...itemActions], { minLength: 1 }),
    fields: fc.subarray(fields).map(withKey),
    writable: fc.subarray(fields).map(withKey),
    where: fc.option(someItems, { nil: undefined }),
  });
  // Random parts are hardly ever all of them.
  const whole = fc.constant({ actions: itemActions, fields, writable: fields });
  return fc.oneof({ weight: 5, arbitrary: some as fc.Arbitrary<TypeGrant> }, { weight: 1, arbitrary: whole });
};

const roles = fc.record(
  Object.fromEntries(types.map((type) => [type, fc.array(typeGrant(type), { minLength: 1, maxLength: 2 })])),
  { requiredKeys: [] },
) as fc.Arbitrary<TestRole>;

describe('two platforms that differ only in what a role does not show', () => {
  let one: Library;
  let other: Library;

  beforeAll(async () => {
    one = await openLibrary();
    other = await openLibrary();
  });
  afterAll(() => Promise.all([one.close(), other.close()]));

  it(
    `answer ${cases} random requests alike, and as the role says (seed ${seed})`,
    async () => {
      const property = fc.asyncProperty(
        roles,
        fc.array(requests, { minLength: requestsOfARole, maxLength: requestsOfARole }),
        async (role, sent) => {
          await Promise.all([fill(one, role, 'a'), fill(other, role, 'b')]);
          for (const request of sent) {
            if (request.method === imageRequest) {
              await assertImage(one, other, role, request);
              continue;
            }
            const before = await storedItem(one, request);
            const [first, second] = [await ask(one, request), await ask(other, request)];
            expect({ request, answer: plain(first) }).toEqual({ request, answer: plain(second) });
            assertAsGranted(role, request, first);
            assertWritten(role, request, first, before, await storedItem(one, request));
          }
        },
      );
      await fc.assert(property, { seed, numRuns: Math.ceil(cases / requestsOfARole), endOnFailure: true });
    },
    60_000 + cases * 100,
  );
});

/** Values that the role shows are the same on both; all others are those of the variant. */
async function fill(library: Library, role: TestRole, variant: string): Promise<void> {
  await library.rows(emptyTables('workshop_%'));
  for (const number of [1, 2, 3]) {
    for (const type of types) {
      const shown = shownFields(role, type, number);
      const values = (libraryFields[type] ?? []).map((field) => {
        const isShown = shown.includes(field);
        if (field === keyFields[type] && !isShown) return [field, `${variant}-${number}`] as const;
        return [field, valueOf(field, number, isShown ? 'visible' : variant)] as const;
      });
      const { status, text } = await sendJson(
        library.address,
        'POST',
        `/api/cms/items/${type}`,
        Object.fromEntries(values),
        { 'x-open': 'yes' },
      );
      if (status !== 201) throw new Error(text);
    }
  }
  // Two items of one millisecond have no order.
  for (const [index, { descriptor }] of library.types.all.entries()) {
    const time = `timestamptz '2026-01-01' + (id * 10 + ${index}) * interval '1 second'`;
    await library.rows(`UPDATE "${descriptor.table}" SET created_at = ${time}, updated_at = ${time}`);
  }
  library.setRole(role);
}

function valueOf(field: string, number: number, variant: string): unknown {
  const isOther = variant === 'b';
  if (field === 'code') return `A-${number}`;
  if (field === 'price' || field === 'stars') return isOther ? number : 7 - number;
  if (field === 'lent') return isOther;
  if (field === 'shelf' || field === 'book') return isOther ? 1 : number;
  if (field === 'shelves') return isOther ? [number] : [1];
  if (field === 'cover') return imageOf(variant, isOther ? 9 - number : number);
  // Hidden values have another order, too.
  return `${variant} ${variant}${isOther ? 9 - number : number}`;
}

/** Of few values, so that some of a unique field are in use. */
function validValue(field: string, number: number): unknown {
  if (field === 'lent') return number > 5;
  if (field === 'price' || field === 'stars') return number;
  if (field === 'shelf' || field === 'book') return (number % 3) + 1;
  if (field === 'shelves') return [(number % 3) + 1];
  if (field === 'cover') return imageOf('visible', number);
  return field === 'code' ? `A-${number}` : `visible ${number}`;
}

function imageOf(variant: string, number: number): string {
  return `/media/${variant}-${number}.png`;
}

async function assertImage(one: Library, other: Library, role: TestRole, { path }: Sent): Promise<void> {
  const isShown = await showsByItems(one, role, path);
  const answers = await Promise.all([one, other].map(({ showsImage }) => showsImage(path)));
  expect({ path, answers }).toEqual({ path, answers: [isShown, isShown] });
}

/** The slow and obvious answer to whether an image is shown: by looking at each item that has it. */
async function showsByItems({ address }: Library, role: TestRole, image: string): Promise<boolean> {
  const { json } = await sendJson(address, 'POST', '/api/cms/items/book/list?limit=200', [], { 'x-open': 'yes' });
  return [json.data]
    .flat()
    .some(
      ({ id, values }: { readonly id: number; readonly values: { readonly cover?: unknown } }) =>
        values.cover === image && shownFields(role, 'book', id).includes('cover'),
    );
}

function ask(library: Library, { method, path, body, headers = {} }: Sent): Promise<Answer> {
  return body === undefined
    ? send(library.address, path, { method, headers })
    : sendJson(library.address, method, path, body, headers);
}

const ownHeaders: ReadonlySet<string> = new Set(['date', 'x-request-id', 'content-length']);

/** Without what differs between any two answers: request ids, times, and cursors, which hold times. */
function plain({ status, headers, text }: Answer): object {
  const known = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
  const body = text
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'time')
    .replaceAll(/"nextCursor":"[^"]*"/g, '"nextCursor":""');
  return { status, headers: Object.fromEntries(known), body };
}

function allows(role: TestRole, type: string, action: ItemAction): boolean {
  return role[type]?.some(({ actions }) => actions.includes(action)) === true;
}

/** @param item its id; any unless given */
function shownFields(role: TestRole, type: string, item?: number): readonly string[] {
  return grantsWith(role, type, 'read', item).flatMap(({ fields }) => fields);
}

function grantsWith(role: TestRole, type: string, action: ItemAction, item?: number): readonly TypeGrant[] {
  return (role[type] ?? []).filter(
    ({ actions, where = [] }) =>
      actions.includes(action) &&
      (item === undefined || conditionsIn(where).every((condition) => isMet(condition, item))),
  );
}

function isMet({ operator, value }: ItemCondition, item: number): boolean {
  if (operator === 'MORE_THAN') return item > Number(value);
  return operator === 'LESS_THAN' ? item < Number(value) : item === Number(value);
}

/** Every row of an answer has the fields that the role shows on that item. */
function assertRows(role: TestRole, type: string, { json }: Answer): void {
  for (const { id, values } of [json.data].flat()) {
    if (values === undefined) continue;
    const shown = new Set([...shownFields(role, type, id), 'createdAt', 'updatedAt', 'version']);
    const fields = Object.keys(values).filter((name) => name !== 'createdBy' && name !== 'updatedBy');
    expect({ id, fields: fields.toSorted() }).toEqual({ id, fields: [...shown].toSorted() });
    expect(shown).toContain(keyFields[type]);
  }
}

/** The slow and obvious answer to whether the role allows a request, and which fields an answer may have. */
function assertAsGranted(role: TestRole, request: Sent, { status, text, json, headers }: Answer): void {
  const { type, action } = request;
  if (type === undefined || action === undefined) return;
  expect({ request, status, isExpected: isExpected(role, type, action, status) }).toMatchObject({ isExpected: true });
  const hidden = (libraryFields[type] ?? []).filter((field) => !shownFields(role, type).includes(field));
  const shown = status === 200 ? hidden.filter((field) => text.includes(`"${field}":`)) : [];
  expect(shown).toEqual([]);
  if (status === 200 && request.path.startsWith('/api/cms/items/') && !request.path.includes('metadata')) {
    if (request.method !== 'HEAD') assertRows(role, type, { status, text, json, headers });
  }
  expect(text).not.toMatch(/"[ab] [ab]\d"|\/media\/[ab]-\d/);
}

function isExpected(role: TestRole, type: string, action: ItemAction, status: number): boolean {
  if (!allows(role, type, 'read')) return status === 404;
  // A request that is wrong for everyone is refused as such; an import also needs the right to create or to update.
  if (allows(role, type, action)) return action === 'import' || status !== 403 || hasConditions(role, type);
  return status === 400 || status === 403;
}

/** Whether what is allowed depends on the item. */
function hasConditions(role: TestRole, type: string): boolean {
  return role[type]?.some(({ where }) => where !== undefined) === true;
}

/** The values of the item that a request is about, whatever the role shows. */
async function storedItem(library: Library, { method, path }: Sent): Promise<Readonly<Record<string, unknown>>> {
  if (method !== 'PATCH') return {};
  const { json } = await send(library.address, path, { headers: { 'x-open': 'yes' } });
  return (json.data?.values ?? {}) as Readonly<Record<string, unknown>>;
}

/** Each field that was written is one that a grant with that action lets be set, and that is shown. */
function assertWritten(
  role: TestRole,
  { type = '', action, body, path }: Sent,
  { status, json }: Answer,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): void {
  const written =
    action === 'create' && status === 201
      ? Object.keys(body as object)
      : (libraryFields[type] ?? []).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (written.length === 0 || action === undefined) return;
  const item = action === 'create' ? Number(json.data.id) : Number(path.split('/').at(-1));
  const allowed = grantsWith(role, type, action, item)
    .flatMap(({ writable }) => writable)
    .filter((field) => shownFields(role, type, item).includes(field));
  expect(written.filter((field) => !allowed.includes(field))).toEqual([]);
}
