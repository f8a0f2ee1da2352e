import { send, sendJson, type Answer } from '../../../../../test/support/rest-client';
import { userScope, pluginScope } from '@gantry/core-content';
import { describeTypes } from '../../../src/composition/services-of-plugins';
import { openRestrictedContent, type RestrictedContent } from '../support/restricted-content';

let content: RestrictedContent;
let ids: { readonly shelf: string; readonly book: string; readonly otherBook: string; readonly review: string };

beforeAll(async () => {
  content = await openRestrictedContent();
  const shelf = await create('hiddenshelf', { code: 'hidden shelf' });
  const book = await create('book', {
    code: 'B-1',
    hiddenName: 'hidden title',
    hiddenKey: 'hidden key',
    shelf: Number(shelf),
    shelves: [Number(shelf)],
  });
  const otherBook = await create('book', { code: 'B-2' });
  const review = await create('review', { text: 'good', book: Number(book), hiddenBook: Number(otherBook) });
  await create('hiddennote', { code: 'hidden note', book: Number(book) });
  ids = { shelf, book, otherBook, review };
});

afterAll(() => content.close());

async function create(type: string, values: object): Promise<string> {
  const { json, status, text } = await sendJson(content.address, 'POST', `/api/cms/items/${type}`, values);
  expect([status, text]).toEqual([201, expect.anything()]);
  return String(json.data.id);
}

const restricted = { 'x-restricted': 'yes' };

/** Asks as somebody from whom everything with the word `hidden` in its name is hidden. */
function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  return body === undefined
    ? send(content.address, path, { method, headers: restricted })
    : sendJson(content.address, method, path, body, restricted);
}

function expectNothingHidden({ text, headers }: Answer): void {
  // Codes of explanations are the same for everybody.
  expect(text.replaceAll(/\b(TYPE|FIELD|SOURCE)_HIDDEN\b/g, '')).not.toMatch(/hidden/i);
  expect(JSON.stringify(headers)).not.toMatch(/hidden/i);
}

it('a function of a plugin for search results that expects what is hidden', async () => {
  const open = await sendJson(content.address, 'POST', '/api/cms/items/review/search', []);
  expect(open.json.data).toEqual([{ id: Number(ids.review), label: 'hidden name', subLabel: 'good' }]);

  const { status, json } = await ask('POST', '/api/cms/items/review/search', []);
  expect([status, json.data]).toEqual([200, [{ id: Number(ids.review), label: 'Review', subLabel: '' }]]);
});

describe('what a policy hides', () => {
  it.each([
    ['GET', '/api/cms/items/types', undefined],
    ['GET', '/api/cms/items/book/metadata', undefined],
    ['GET', '/api/cms/items/book/search-metadata', undefined],
    ['GET', '/api/cms/items/review/metadata', undefined],
    ['GET', '/api/openapi.json', undefined],
    ['GET', '/api/platform/content', undefined],
    ['GET', '/api/platform/attention', undefined],
    ['GET', '/api/platform/recent', undefined],
    ['POST', '/api/cms/items/book/list?total=true', []],
    ['POST', '/api/cms/items/book/list', [{ field: 'code', operator: 'EQUALS', value: 'B-1' }]],
    ['POST', '/api/cms/items/book/search', []],
    ['POST', '/api/cms/items/review/list', []],
    ['POST', '/api/cms/items/review/search', []],
    ['POST', '/api/cms/search?q=b-1', undefined],
    ['POST', '/api/cms/search?q=1', undefined],
    ['POST', '/api/cms/items/book/list?q=b-1', []],
    ['POST', '/api/cms/exports/book?ids=true', []],
  ])('is not in the answer to %s %s', async (method, path, body) => {
    const answer = await ask(method, path, body);

    expect(answer.status).toBe(200);
    expectNothingHidden(answer);
  });

  it('is not found by a search, neither by a hidden field nor in a hidden type', async () => {
    const typesFor = async (q: string) =>
      (await ask('POST', `/api/cms/search?q=${q}`)).json.data.map(({ type }: Record<string, unknown>) => type);
    expect(await typesFor('hidden')).toEqual([]);
    expect(await typesFor('hi')).toEqual([]);
    expect(await typesFor('title')).toEqual([]);
    expect(await typesFor('1')).toEqual(['book', 'review']);
    expect(await typesFor('b-1')).toEqual(['book']);
    expect((await ask('POST', '/api/cms/items/book/list?q=hidden', [])).json.data).toEqual([]);
    const seen = await send(content.address, '/api/cms/search?q=hidden', { method: 'POST' });
    expect(seen.json.data.map(({ type }: Record<string, unknown>) => type)).toEqual([
      'book',
      'hiddennote',
      'hiddenshelf',
    ]);
  });

  it('is not counted among the items that need a person', async () => {
    const titles = async (answer: Promise<Answer>) =>
      (await answer).json.data.map(({ title, count, isMore }: Record<string, unknown>) => [title, count, isMore]);
    expect(await titles(ask('GET', '/api/platform/attention'))).toEqual([['First books', 1, false]]);
    expect(await titles(send(content.address, '/api/platform/attention'))).toEqual([
      ['First books', 1, false],
      ['Hidden books', 1, false],
    ]);
  });

  it('is not in one item, whose references to it have ids without labels', async () => {
    const answer = await ask('GET', `/api/cms/items/book/${ids.book}`);

    expectNothingHidden(answer);
    const shelf = { id: Number(ids.shelf), label: null };
    expect(answer.json.data.values).toMatchObject({ code: 'B-1', shelf, shelves: [shelf] });
    const review = await ask('GET', `/api/cms/items/review/${ids.review}`);
    expect(review.json.data.values.book).toEqual({ id: Number(ids.book), label: 'B-1' });
  });

  it('is not in an item that was created or changed', async () => {
    const created = await ask('POST', '/api/cms/items/book', { code: 'B-3' });
    expect(created.status).toBe(201);
    expectNothingHidden(created);
    const path = `/api/cms/items/book/${created.json.data.id}`;

    const changed = await ask('PATCH', path, { code: 'B-3b' });
    expect(changed.status).toBe(200);
    expectNothingHidden(changed);
    expect(await content.rows(`SELECT hidden_name FROM workshop_book WHERE code = 'B-3b'`)).toEqual([
      { hidden_name: 'hidden name' },
    ]);
    expect((await ask('DELETE', path)).status).toBe(204);
  });

  it('does not show in the refusal of a delete, nor in what refers to an item', async () => {
    const path = `/api/cms/items/book/${ids.book}`;
    const referring = await ask('GET', `${path}/references`);
    expect(referring.json.data.map(({ type, field }: Record<string, unknown>) => [type, field])).toEqual([
      ['review', 'book'],
    ]);
    expectNothingHidden(referring);
    expect((await ask('GET', `/api/cms/items/book/${ids.otherBook}/references`)).json.data).toEqual([]);
    const seen = await ask('DELETE', path);
    expect(seen.json.error).toMatchObject({ code: 'ITEM_REFERENCED', details: [{ path: 'review.book' }] });
    expectNothingHidden(seen);

    const unseen = await ask('DELETE', `/api/cms/items/book/${ids.otherBook}`);
    expect(unseen.json.error).toMatchObject({ code: 'ITEM_REFERENCED', details: [] });
    expectNothingHidden(unseen);
  });

  it('is not in a conflict', async () => {
    const answer = await ask('POST', '/api/cms/items/book', { code: 'B-1' });
    expect(answer.json.error).toMatchObject({ code: 'CONFLICT', details: [{ path: 'code' }] });
    expectNothingHidden(answer);
  });

  it('is not in the initial data of pages', () => {
    const platform = describeTypes(() => content.restricted);
    expect(JSON.stringify(platform.itemTypes())).not.toMatch(/hidden/i);
    expect(platform.itemMetadata('hiddenshelf')).toBeUndefined();
    expect(JSON.stringify(platform.itemMetadata('book'))).not.toMatch(/hidden/i);
  });
});

/** Names of equal length, one hidden and one that does not exist. */
const names = [
  ['hiddenName', 'nothngName'],
  ['hiddenKey', 'nothngKey'],
] as const;

describe('a hidden name is answered as one that does not exist', () => {
  /** The answer, with the name that was sent put in place of either. */
  async function plain(method: string, path: string, body: unknown, name: string): Promise<unknown> {
    const { status, text } = await ask(
      method,
      path.replaceAll('NAME', name),
      JSON.parse(JSON.stringify(body).replaceAll('NAME', name)),
    );
    return { status, text: text.replaceAll(name, 'NAME').replace(/"requestId":"[^"]*"/, '') };
  }

  it.each([
    ['POST', '/api/cms/items/book/list', [{ field: 'NAME', value: 'hidden' }]],
    ['POST', '/api/cms/items/book/list?total=true', [{ field: 'NAME', value: 'hidden' }]],
    ['POST', '/api/cms/items/book/search', [{ field: 'NAME', value: 'hidden' }]],
    ['POST', '/api/cms/items/book/list?sort=NAME', []],
    ['POST', '/api/cms/items/book', { code: 'B-9', NAME: 'x' }],
    ['PATCH', '/api/cms/items/book/1', { NAME: 'x' }],
    ['POST', '/api/cms/exports/book', [{ field: 'NAME', value: 'hidden' }]],
    ['POST', '/api/cms/imports/book?match=NAME', { code: 'B-9' }],
    ['POST', '/api/cms/imports/book?dryRun=true', [{ code: 'B-9', NAME: 'x' }]],
  ])('as a field in %s %s', async (method, path, body) => {
    for (const [hidden, unknown] of names) {
      expect(await plain(method, path, body, hidden)).toEqual(await plain(method, path, body, unknown));
    }
  });

  it.each([
    ['GET', '/api/cms/items/NAME/metadata', null],
    ['POST', '/api/cms/items/NAME/list', []],
    ['POST', '/api/cms/items/NAME/search', []],
    ['POST', '/api/cms/items/NAME', {}],
    ['PATCH', '/api/cms/items/NAME/1', {}],
    ['DELETE', '/api/cms/items/NAME/1', null],
    ['POST', '/api/cms/imports/NAME', []],
    ['POST', '/api/cms/exports/NAME', []],
  ])('as a type in %s %s', async (method, path, body) => {
    const hidden = await plain(method, path, body, 'hiddenshelf');
    expect(hidden).toMatchObject({ status: 404 });
    expect(hidden).toEqual(await plain(method, path, body, 'nothngshelf'));
  });

  it('as the field that the items of all types are looked for', async () => {
    const answers = await Promise.all(
      names[1].map((name) => ask('GET', `/api/platform/items?field=${name}&value=hidden%20key`)),
    );
    expect(answers.map(({ text }) => text)).toEqual(['{"data":{}}', '{"data":{}}']);
  });

  it('as the target of a reference', async () => {
    const messages = new Set<string>();
    for (const id of [ids.shelf, '987654']) {
      const answer = await ask('POST', '/api/cms/items/book', { code: 'B-9', shelf: Number(id) });
      expect(answer.json.error).toMatchObject({
        code: 'VALIDATION_FAILED',
        message: expect.stringContaining(` ${id}`),
      });
      messages.add(answer.json.error.message.replace(` ${id}`, ''));
      const imported = await ask('POST', '/api/cms/imports/book?ids=true', [{ code: 'B-9', shelf: Number(id) }]);
      expect(imported.json.error.details).toMatchObject([{ code: 'REFERENCE_NOT_FOUND', path: 'shelf' }]);
      expectNothingHidden(answer);
      expectNothingHidden(imported);
    }
    expect(messages.size).toBe(1);
  });
});

describe('a policy', () => {
  it('does not share statements with another one', async () => {
    const list = (headers: Readonly<Record<string, string>>) =>
      sendJson(content.address, 'POST', '/api/cms/items/book/list?sort=code', [], headers);
    for (let round = 0; round < 3; round += 1) {
      expect((await list({})).text).toContain('hidden title');
      expectNothingHidden(await list(restricted));
    }
  });

  it('refuses an action in the writer, and so on every way to it', async () => {
    const answer = await ask('DELETE', `/api/cms/items/review/${ids.review}`);
    expect([answer.status, answer.json.error.code]).toEqual([403, 'FORBIDDEN']);
    expect((await ask('POST', '/api/cms/exports/review', [])).status).toBe(403);

    const scope = userScope(content.restricted, 'local', 'none');
    const review = content.types.find('review');
    if (review === undefined) throw new Error('The content has no reviews.');
    await expect(content.writer.remove(scope, review, ids.review, {})).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('holds for a caller with another descriptor', async () => {
    const book = content.types.find('book')?.descriptor;
    if (book === undefined) throw new Error('The content has no books.');
    const scope = pluginScope(content.restricted, 'workshop');
    expect((await content.repository.get(scope, book, ids.book))?.json).not.toMatch(/hidden/i);
  });
});
