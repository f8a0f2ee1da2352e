import { send, sendJson, type Answer } from '../../../../../test/support/rest-client';
import { requestIdOf } from '@gantry/core-http';
import { createFieldTypes, type FieldType, shippedFieldTypes, createOpenPolicy, userScope } from '@gantry/core-content';
import { declareType, problemsOfFields } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from '../support/serve-items';
import { durationName, durationType } from './support/duration-kind';

const fieldTypes = createFieldTypes([...(shippedFieldTypes.all as readonly [FieldType]), durationType]);

describe('a field type that the platform does not know', () => {
  let content: OpenTypes;
  let served: ServedItems;

  beforeAll(async () => {
    const Film = declareType(
      'Film',
      { title: { required: true }, length: { type: durationName, searchable: true } },
      { unique: [['title']] },
    );
    content = await openTypes([Film], fieldTypes);
    const policy = createOpenPolicy(content.types);
    served = await serveItems(content, (request) => userScope(policy, 'local', requestIdOf(request)), fieldTypes);
    for (const [title, length] of [
      ['Short', '0:25'],
      ['Long', '3:05'],
      ['Usual', '1:30'],
      ['Unknown', null],
    ]) {
      expect((await post('/items/film', { title, length })).status).toBe(201);
    }
  });

  afterAll(() => served.close());

  function post(path: string, body: unknown, headers = {}): Promise<Answer> {
    return sendJson(served.address, 'POST', `/api/cms${path}`, body, headers);
  }

  async function titles(path: string, criteria: readonly object[]): Promise<readonly string[]> {
    const { json } = await post(path, criteria);
    return (json.data as readonly { readonly values: { readonly title: string } }[]).map(({ values }) => values.title);
  }

  it('has a column with an index', async () => {
    expect(
      await content.rows(
        "SELECT data_type FROM information_schema.columns WHERE table_name = 'workshop_film' AND column_name = 'length'",
      ),
    ).toEqual([{ data_type: 'integer' }]);
    expect(
      await content.rows("SELECT 1 AS found FROM pg_indexes WHERE indexname = 'workshop_film_length_idx'"),
    ).toEqual([{ found: 1 }]);
  });

  it('is in the metadata', async () => {
    const { json } = await send(served.address, '/api/cms/items/film/metadata');
    expect(json.data.columnShown[1]).toMatchObject({ name: 'length', type: 'DURATION' });
    expect(json.data.fields[1]).toMatchObject({ name: 'length', type: 'DURATION' });
    const operators = ['EQUALS', 'MORE_THAN', 'LESS_THAN', 'NOT_EQUALS', 'IN', 'EMPTY'];
    expect(json.data.searchable).toEqual([{ name: 'length', displayName: 'length', type: 'duration', operators }]);
  });

  it('is read, shown and changed', async () => {
    const { json } = await post('/items/film', { title: 'New', length: '0:05' });
    expect(json.data.values).toMatchObject({ title: 'New', length: '0:05', version: 1 });

    const path = `/api/cms/items/film/${json.data.id}`;
    const same = await sendJson(served.address, 'PUT', path, { length: '0:05' });
    expect(same.json.data.values).toMatchObject({ length: '0:05', version: 1 });
    const changed = await sendJson(served.address, 'PUT', path, { length: '0:06' });
    expect(changed.json.data.values).toMatchObject({ length: '0:06', version: 2 });

    expect((await send(served.address, path, { method: 'DELETE' })).status).toBe(204);
  });

  it('refuses what it cannot read', async () => {
    const { status, json } = await post('/items/film', { title: 'Wrong', length: '1:75' });
    expect([status, json.error.details]).toEqual([
      400,
      [{ path: 'length', code: 'WRONG_TYPE', message: 'length must be hours and minutes, such as 1:30' }],
    ]);
  });

  it.each([
    ['EQUALS', '1:30', ['Usual']],
    ['CONTAINS', '1:30', ['Usual']],
    ['MORE_THAN', '0:25', ['Usual', 'Long']],
    ['LESS_THAN', '3:05', ['Short', 'Usual']],
  ])('is searched by %s %s, and sorted', async (operator, value, expected) => {
    expect(await titles('/items/film/list?sort=length', [{ field: 'length', operator, value }])).toEqual(expected);
  });

  it('is exported and imported', async () => {
    const csv = await send(served.address, '/api/cms/exports/film?format=csv', { method: 'POST' });
    expect(csv.text.split(/\r?\n/).slice(0, 3)).toEqual(['title,length', 'Short,0:25', 'Long,3:05']);
    const jsonLines = await send(served.address, '/api/cms/exports/film', { method: 'POST' });
    expect(jsonLines.text.split('\n')[0]).toBe('{"title":"Short","length":"0:25"}');

    for (const [contentType, file] of [
      ['text/csv', csv.text.replace('Short,0:25', 'Short,0:26')],
      ['application/x-ndjson', jsonLines.text.replace('"0:25"', '"0:26"').replace('"3:05"', '"3:06"')],
    ] as const) {
      const { json } = await send(served.address, '/api/cms/imports/film?match=title', {
        method: 'POST',
        body: file,
        headers: { 'content-type': contentType },
      });
      expect(json.data).toMatchObject({ updated: 1 });
    }
    expect(await titles('/items/film/list', [{ field: 'length', value: '0:26' }])).toEqual(['Short']);
    expect(await titles('/items/film/list', [{ field: 'length', value: '3:06' }])).toEqual(['Long']);
  });

  it('is in the OpenAPI document', async () => {
    const { json } = await send(served.address, '/api/openapi.json');
    const { schemas } = json.components;
    expect(schemas.FilmCreate.properties.length).toEqual({
      title: 'length',
      type: ['string', 'null'],
      pattern: '^\\d{1,4}:[0-5]\\d$',
      description: 'Hours and minutes.',
    });
    expect(schemas.FilmRow.properties.values.properties.length).toEqual({ title: 'length', type: ['string', 'null'] });
    expect(schemas.FieldType.enum).toContain('DURATION');
    expect(schemas.SearchFieldType.enum).toContain('duration');
  });

  it('is unknown to a platform without it', () => {
    expect(problemsOfFields({ length: { type: durationName } }).join()).toContain(
      'length has the unknown type DURATION; known are STRING, TEXT, NUMBER, BOOLEAN, REFERENCE, IMAGE, DATE, DATETIME, TIME, ENUM, LINK',
    );
  });
});
