import { itemActions, type ErrorDetail } from '@gantry/contracts';
import type { ItemStore, ItemTypeClass } from '@gantry/plugin-api';
import { send, sendJson, type Answer } from '../../../../../test/support/rest-client';
import { createOpenPolicy, type Policy, createRolePolicy, userScope, itemMetadata } from '@gantry/core-content';
import { requestIdOf } from '@gantry/core-http';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from '../support/serve-items';
import { emptyTables } from '../../../../../test/support/empty-tables';

const isLink = { field: 'kind', equals: 'LINK' } as const;
const Banner: ItemTypeClass = declareType(
  'Banner',
  {
    code: { required: true, searchable: true },
    kind: { type: 'ENUM', options: ['TEXT', 'LINK'], searchable: true },
    url: { required: true, visibleIf: isLink },
    label: { visibleIf: { field: 'url', empty: false }, requiredIf: { field: 'url', equals: '/home' } },
    parent: { type: 'REFERENCE', targetEntity: () => Banner, requiredIf: { field: 'code', equals: 'child' } },
    note: {},
  },
  { unique: [['code']] },
);

let content: OpenTypes;
let served: ServedItems;
let items: ItemStore;
let policy: Policy;

beforeAll(async () => {
  content = await openTypes([Banner]);
  items = content.items('workshop');
  served = await serveItems(content, (request) => userScope(policy, '7', requestIdOf(request)));
});
beforeEach(async () => {
  policy = createOpenPolicy(content.types);
  await content.rows(emptyTables('workshop_%'));
});
afterAll(() => served.close());

const path = '/api/cms/items/banner';
const create = (values: object): Promise<Answer> => sendJson(served.address, 'POST', path, values);
const patch = (id: number, values: object): Promise<Answer> =>
  sendJson(served.address, 'PATCH', `${path}/${id}`, values);

async function importLines(lines: readonly object[], query = ''): Promise<readonly string[]> {
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  const answer = await send(served.address, `/api/cms/imports/banner${query}`, { method: 'POST', headers, body });
  return (answer.json.data ?? answer.json.error).details.map(
    ({ line, ...problem }: ErrorDetail & { readonly line: number }) => `${line}: ${summary(problem)}`,
  );
}

const problems = ({ json }: Answer): readonly string[] => (json.error?.details ?? []).map(summary);

/** Field and code, and the condition that the message names. */
function summary({ path: field, code, message }: ErrorDetail): string {
  const [, condition] = message.split(' if ');
  return condition === undefined ? `${field} ${code}` : `${field} ${code} if ${condition}`;
}

/** Shows these fields to a role that has no rights on the others. */
function show(...fields: readonly string[]): void {
  const on = { plugin: 'workshop', type: 'banner' };
  policy = createRolePolicy(content.types, [{ on, actions: [...itemActions], readableFields: fields }], {
    id: '7',
    login: 'ann@example.org',
  });
}

const urlMissing = 'url REQUIRED if kind is LINK';

describe('a field that others require', () => {
  it('is required of a new item while its condition holds', async () => {
    expect(problems(await create({ code: 'a', kind: 'LINK' }))).toEqual([urlMissing]);
    expect(problems(await create({ code: 'a', kind: 'LINK', url: ' ' }))).toEqual([urlMissing]);
    expect(problems(await create({ code: 'a', kind: 'LINK', url: '/x' }))).toEqual([]);
    expect(problems(await create({ code: 'b', kind: 'TEXT' }))).toEqual([]);
    expect(problems(await create({ code: 'c' }))).toEqual([]);
  });

  it('is not required while it is hidden, also by way of another field', async () => {
    expect(problems(await create({ code: 'a', kind: 'LINK', url: '/home' }))).toEqual([
      'label REQUIRED if url is /home',
    ]);
    expect(problems(await create({ code: 'a', kind: 'TEXT', url: '/home' }))).toEqual([]);
  });

  it('is required by a change of the item that makes its condition hold, and keeps its value while it is hidden', async () => {
    await create({ code: 'a', kind: 'TEXT' });
    expect(problems(await patch(1, { kind: 'LINK' }))).toEqual([urlMissing]);
    expect((await patch(1, { kind: 'LINK', url: '/x' })).status).toBe(200);
    expect(problems(await patch(1, { url: null }))).toEqual([urlMissing]);
    expect((await patch(1, { kind: 'TEXT' })).json.data.values.url).toBe('/x');
    expect((await patch(1, { kind: 'LINK' })).status).toBe(200);
  });

  it('does not keep other fields of an earlier item from being changed', async () => {
    await content.rows(
      "INSERT INTO workshop_banner (code, kind, version, created_at, updated_at) VALUES ('a', 'LINK', 1, now(), now())",
    );

    expect((await patch(1, { note: 'x' })).status).toBe(200);
    expect(problems(await patch(1, { code: 'b', kind: 'LINK' }))).toEqual([]);
    expect(problems(await patch(1, { url: null }))).toEqual([]);
  });

  it('is not asked for while what decides on it is wrong itself', async () => {
    expect(problems(await create({ code: 'a', kind: 'FILM' }))).toEqual(['kind NOT_AN_OPTION']);
  });

  it('is required of imported items, new and changed', async () => {
    expect(
      await importLines([
        { code: 'a', kind: 'LINK' },
        { code: 'b', kind: 'TEXT' },
      ]),
    ).toEqual([`1: ${urlMissing}`]);
    expect(
      await importLines([
        { code: 'a', kind: 'TEXT' },
        { code: 'b', kind: 'LINK', url: '/' },
      ]),
    ).toEqual([]);
    expect(
      await importLines(
        [
          { code: 'a', kind: 'LINK' },
          { code: 'b', kind: 'LINK' },
        ],
        '?match=code',
      ),
    ).toEqual([`1: ${urlMissing}`]);
    expect(await importLines([{ code: 'a', kind: 'LINK', url: '/' }], '?match=code')).toEqual([]);
  });

  it('may be a reference to an item further down in the file', async () => {
    expect(await importLines([{ code: 'child', parent: 'root' }, { code: 'root' }])).toEqual([]);
    expect(await importLines([{ code: 'child' }], '?match=code')).toEqual([]);
    expect(await importLines([{ code: 'child', parent: null }], '?match=code')).toEqual([
      '1: parent REQUIRED if code is child',
    ]);
  });

  it('is required of what code writes', async () => {
    const banners = items.of(Banner as never) as unknown as {
      create(values: object): Promise<unknown>;
      updateWhere(criteria: object, values: object): Promise<unknown>;
      upsert(values: object, by: object): Promise<unknown>;
    };

    await banners.create({ code: 'a', kind: 'TEXT' });
    const refused = { code: 'VALIDATION_FAILED', details: [{ path: 'url', code: 'REQUIRED' }] };
    await expect(banners.updateWhere({ code: 'a' }, { kind: 'LINK' })).rejects.toMatchObject(refused);
    await expect(banners.upsert({ code: 'a', kind: 'LINK' }, { by: ['code'] })).rejects.toMatchObject(refused);
    await banners.updateWhere({ code: 'a' }, { kind: 'LINK', url: '/' });
    await expect(banners.updateWhere({ code: 'a' }, { url: null })).rejects.toMatchObject(refused);
  });
});

describe('a role that does not show what a condition compares', () => {
  it('does not show the condition, and always requires the field', () => {
    show('code', 'url', 'label', 'note');
    const { fields } = itemMetadata(policy.types.find('banner')?.descriptor as never);

    expect(JSON.stringify(fields)).not.toContain('kind');
    expect(fields.map(({ name, visibleIf, requiredIf }) => [name, visibleIf, requiredIf])).toEqual([
      ['code', undefined, undefined],
      ['url', undefined, { all: [] }],
      ['label', undefined, { all: [] }],
      ['note', undefined, undefined],
    ]);
  });

  it.each(['TEXT', 'LINK'])('answers alike whatever the value is: %s', async (kind) => {
    await create({ code: 'a', kind, url: '/x', label: 'X' });
    show('code', 'url', 'label', 'note');

    expect(problems(await patch(1, { url: null }))).toEqual(['url REQUIRED']);
    expect((await patch(1, { url: '/y' })).status).toBe(200);
    expect((await patch(1, { note: 'n' })).status).toBe(200);
    expect(problems(await create({ code: 'b', label: 'X' }))).toEqual(['url REQUIRED']);
  });

  it('has no say in fields that it does not show', async () => {
    show('code', 'kind');
    const refused = await create({ code: 'a', kind: 'LINK' });
    expect([refused.status, problems(refused)]).toEqual([400, [' REQUIRED']]);
    expect((await create({ code: 'b', kind: 'TEXT' })).status).toBe(201);
    expect((await patch(1, { kind: 'LINK' })).status).toBe(200);
  });
});
