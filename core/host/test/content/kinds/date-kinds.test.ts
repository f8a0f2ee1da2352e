import { problemsOf, send, sendJson, type Answer } from '../../../../../test/support/rest-client';
import { requestIdOf } from '@gantry/core-http';
import { shippedFieldTypes, createOpenPolicy, userScope } from '@gantry/core-content';
import { compileFields, declareType, problemsOfFields } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from '../support/serve-items';

interface Shown {
  readonly id: number;
  readonly values: Readonly<Record<string, unknown>>;
}

describe('fields of dates, times and options', () => {
  let content: OpenTypes;
  let served: ServedItems;

  beforeAll(async () => {
    const Meeting = declareType(
      'Meeting',
      {
        topic: { required: true, searchable: true },
        day: { type: 'DATE', searchable: true },
        startsAt: { type: 'DATETIME', searchable: true },
        opens: { type: 'TIME', searchable: true },
        state: { type: 'ENUM', options: ['PLANNED', 'HELD'], optionLabels: { HELD: 'Took place' }, searchable: true },
        rooms: { type: 'ENUM', cardinality: 'MULTIPLE', options: ['A', 'B', 'C|D'], searchable: true },
        seats: { type: 'NUMBER', searchable: true },
        ends: { type: 'DATE', min: '2026-01-01', max: '2026-12-31' },
        endsAt: { type: 'DATETIME', min: '2026-01-01T00:00:00+01:00', max: '2026-12-31T23:00:00Z' },
      },
      { unique: [['topic']] },
    );
    // Named in files by keys that are a date and time.
    const Slot = declareType('Slot', { at: { type: 'DATETIME', required: true } }, { unique: [['at']] });
    const Booking = declareType('Booking', { slot: { type: 'REFERENCE', targetEntity: () => Slot } });
    content = await openTypes([Meeting, Slot, Booking], shippedFieldTypes);
    const policy = createOpenPolicy(content.types);
    served = await serveItems(
      content,
      (request) => userScope(policy, 'local', requestIdOf(request)),
      shippedFieldTypes,
    );
    for (const meeting of [
      {
        topic: 'Leap',
        ends: '2026-01-01',
        endsAt: '2025-12-31T23:00:00Z',
        day: '2024-02-29',
        startsAt: '2024-02-29T23:30:00-05:00',
        opens: '09:30',
        state: 'HELD',
        seats: 5,
      },
      {
        topic: 'Spring',
        day: '2026-03-29',
        startsAt: '2026-03-29T01:30:00Z',
        opens: '00:00',
        rooms: ['B', 'A'],
        seats: 10,
      },
      { topic: 'First', day: '0001-01-01', startsAt: '0001-01-01T00:00:00Z', opens: '23:59:59.999', rooms: ['C|D'] },
      {
        topic: 'Last',
        day: '9999-12-31',
        startsAt: '9999-12-31T23:59:59.999Z',
        state: 'PLANNED',
        rooms: [],
        seats: 20,
      },
      { topic: 'Nothing' },
    ]) {
      expect(await create(meeting)).toMatchObject({ status: 201 });
    }
  });

  afterAll(() => served.close());

  function post(path: string, body: unknown): Promise<Answer> {
    return sendJson(served.address, 'POST', `/api/cms${path}`, body);
  }

  function create(values: object): Promise<Answer> {
    return post('/items/meeting', values);
  }

  async function listed(criteria: readonly object[], query = '?sort=id'): Promise<readonly Shown[]> {
    const { status, json } = await post(`/items/meeting/list${query}`, criteria);
    expect([status, json.error?.message]).toEqual([200, undefined]);
    return json.data as readonly Shown[];
  }

  async function topics(...criteria: readonly object[]): Promise<readonly unknown[]> {
    return (await listed(criteria)).map(({ values }) => values['topic']);
  }

  it('are shown as they were sent, instants in UTC', async () => {
    expect((await listed([])).map(({ values }) => [values['day'], values['startsAt'], values['opens']])).toEqual([
      ['2024-02-29', '2024-03-01T04:30:00+00:00', '09:30:00'],
      ['2026-03-29', '2026-03-29T01:30:00+00:00', '00:00:00'],
      ['0001-01-01', '0001-01-01T00:00:00+00:00', '23:59:59.999'],
      ['9999-12-31', '9999-12-31T23:59:59.999+00:00', null],
      [null, null, null],
    ]);
    expect((await listed([])).map(({ values }) => [values['state'], values['rooms']])).toEqual([
      ['HELD', null],
      [null, ['B', 'A']],
      [null, ['C|D']],
      ['PLANNED', []],
      [null, null],
    ]);
  });

  it.each([
    ['day', '2026-02-30', 'OUT_OF_RANGE', '28'],
    ['day', '1900-02-29', 'OUT_OF_RANGE', '28'],
    ['day', '2026-13-01', 'OUT_OF_RANGE', '13'],
    ['day', '0000-01-01', 'OUT_OF_RANGE', '9999'],
    ['day', '10000-01-01', 'OUT_OF_RANGE', '9999'],
    ['day', '2026-03-01T00:00:00Z', 'WRONG_TYPE'],
    ['day', '01.03.2026', 'WRONG_TYPE'],
    ['day', '2026-03-01\u0000', 'WRONG_TYPE'],
    ['day', '２０２６-03-01', 'WRONG_TYPE'],
    ['day', 20_260_301, 'WRONG_TYPE'],
    ['day', 'infinity', 'WRONG_TYPE'],
    ['startsAt', '2026-03-01T24:00:00Z', 'OUT_OF_RANGE', '23'],
    ['startsAt', '2026-03-01T10:60:00Z', 'OUT_OF_RANGE', 'minute'],
    ['startsAt', '2026-12-31T23:59:60Z', 'OUT_OF_RANGE', 'second'],
    ['startsAt', '2026-03-01T10:00:00.0001Z', 'OUT_OF_RANGE', 'digits'],
    ['startsAt', '2026-03-01T10:00:00+16:00', 'OUT_OF_RANGE', '+15:59'],
    ['startsAt', '0001-01-01T00:00:00+01:00', 'OUT_OF_RANGE', '9999'],
    ['startsAt', '9999-12-31T23:30:00-01:00', 'OUT_OF_RANGE', '9999'],
    ['ends', '2025-12-31', 'OUT_OF_RANGE', '2026-01-01'],
    ['ends', '2027-01-01', 'OUT_OF_RANGE', '2026-12-31'],
    ['endsAt', '2025-12-31T22:59:59Z', 'OUT_OF_RANGE', '2026-01-01T00:00:00+01:00'],
    ['endsAt', '2026-12-31T22:30:00-01:00', 'OUT_OF_RANGE', '2026-12-31T23:00:00Z'],
    ['endsAt', '2026-12-31T23:00:00.001Z', 'OUT_OF_RANGE', '2026-12-31T23:00:00Z'],
    ['opens', '24:00', 'OUT_OF_RANGE', '23'],
    ['opens', '9:30', 'WRONG_TYPE'],
    ['opens', '09:30+01:00', 'WRONG_TYPE'],
    ['state', 'held', 'NOT_AN_OPTION', 'PLANNED, HELD'],
    ['state', ['HELD'], 'WRONG_TYPE', 'PLANNED, HELD'],
    ['rooms', 'A', 'WRONG_TYPE', 'A, B, C|D'],
    ['rooms', ['A', 'X'], 'NOT_AN_OPTION', 'position 1'],
    ['rooms', ['A', 'A'], 'DUPLICATE', ' A '],
  ])('refuse %s %j', async (field, value, code, named = field) => {
    const { status, json } = await create({ topic: 'Wrong', [field]: value });
    const message = expect.stringContaining(named);
    expect([status, json.error.details]).toEqual([400, [{ path: field, code, message }]]);
  });

  it.each(['2026-03-01T10:00', '2026-03-01', '2026-03-01 10:00:00Z', '2026-03-01T10:00:00z', 'now'])(
    'refuse an instant without an offset or in another form: %j',
    async (startsAt) => {
      const { status, json } = await create({ topic: 'Wrong', startsAt });
      expect([status, json.error.details]).toMatchObject([400, [{ path: 'startsAt', code: 'WRONG_TYPE' }]]);
    },
  );

  it('take the empty text of a form for no value', async () => {
    const { json } = await create({ topic: 'Wrong', day: '', startsAt: '', opens: '', state: '' });
    expect(json.data.values).toMatchObject({ day: null, startsAt: null, opens: null, state: null });
  });

  it('are changed only by other values', async () => {
    const [{ id }] = (await listed([{ field: 'topic', operator: 'EQUALS', value: 'Spring' }])) as [Shown];
    const put = async (values: object) =>
      (await sendJson(served.address, 'PATCH', `/api/cms/items/meeting/${id}`, values)).json.data
        .values as Shown['values'];
    const same = { day: '2026-03-29', startsAt: '2026-03-29T03:30:00.000+02:00', opens: '00:00', rooms: ['B', 'A'] };
    expect(await put(same)).toMatchObject({ version: 1 });
    expect(await put({ rooms: ['A', 'B'] })).toMatchObject({ version: 2, rooms: ['A', 'B'] });
    expect(await put({ ...same, day: '2026-03-30' })).toMatchObject({
      version: 3,
      day: '2026-03-30',
      rooms: ['B', 'A'],
    });
    expect(await put({ startsAt: '2026-03-29T01:30:00.001Z', opens: '00:00:00.5' })).toMatchObject({
      ...{ version: 4, startsAt: '2026-03-29T01:30:00.001+00:00', opens: '00:00:00.5' },
    });
    expect(await put({ ...same, day: '2026-03-29' })).toMatchObject({ version: 5, opens: '00:00:00' });
  });

  it.each([
    ['day', 'EQUALS', '2024-02-29', ['Leap']],
    ['day', 'CONTAINS', '2026', ['Spring']],
    ['day', 'CONTAINS', '2026-03', ['Spring']],
    ['day', 'CONTAINS', '2026-02', []],
    ['day', 'MORE_THAN', '2024-02-29', ['Spring', 'Last']],
    ['day', 'LESS_THAN', '2024-02-29', ['First']],
    ['day', 'BEFORE', '2024-02-29', ['First']],
    ['day', 'AFTER', '2026-03-28', ['Spring', 'Last']],
    ['day', 'AFTER', '-200m', ['Leap', 'Spring', 'Last']],
    ['day', 'BETWEEN', '["2024-01-01","2026-12-31"]', ['Leap', 'Spring']],
    ['day', 'BETWEEN', '["-9000d","+9000d"]', ['Leap', 'Spring']],
    ['day', 'NOT_EQUALS', '2024-02-29', ['Spring', 'First', 'Last', 'Nothing', 'Wrong']],
    ['day', 'IN', '["2024-02-29","9999-12-31"]', ['Leap', 'Last']],
    ['day', 'EMPTY', 'true', ['Nothing', 'Wrong']],
    ['day', 'EMPTY', 'false', ['Leap', 'Spring', 'First', 'Last']],
    ['startsAt', 'EQUALS', '2024-03-01T05:30:00+01:00', ['Leap']],
    ['startsAt', 'BEFORE', '2024-03-01T04:30:00.001Z', ['Leap', 'First']],
    ['startsAt', 'AFTER', '+1h', ['Last']],
    ['opens', 'BETWEEN', '["09:00","10:00"]', ['Leap']],
    ['state', 'EQUALS', 'HELD', ['Leap']],
    ['state', 'IN', '["HELD","PLANNED"]', ['Leap', 'Last']],
    ['rooms', 'CONTAINS', 'A', ['Spring']],
    ['rooms', 'EQUALS', 'C|D', ['First']],
    ['rooms', 'IN', '["A","C|D"]', ['Spring', 'First']],
    ['rooms', 'EMPTY', 'true', ['Leap', 'Last', 'Nothing', 'Wrong']],
    ['rooms', 'EMPTY', 'false', ['Spring', 'First']],
    ['rooms', 'NOT_EQUALS', 'A', ['Leap', 'First', 'Last', 'Nothing', 'Wrong']],
    ['topic', 'STARTS_WITH', 'l', ['Leap', 'Last']],
    ['topic', 'STARTS_WITH', '%', []],
    ['topic', 'IN', '["Leap","\\"}"]', ['Leap']],
    ['topic', 'NOT_EQUALS', 'Leap', ['Spring', 'First', 'Last', 'Nothing', 'Wrong']],
    ['seats', 'IN', '[5,"20.0"]', ['Leap', 'Last']],
    ['seats', 'BETWEEN', '[5,10]', ['Leap', 'Spring']],
    ['seats', 'STARTS_WITH', '5', ['Leap']],
    ['topic', 'BEFORE', 'ea', ['Leap']],
    ['id', 'IN', '["1","2"]', ['Leap', 'Spring']],
  ])('are found by %s %s %s', async (field, operator, value, expected) => {
    expect(await topics({ field, operator, value })).toEqual(expected);
    const { json } = await post('/items/meeting/search', [{ field, operator, value }]);
    expect(json.data).toHaveLength(expected.length);
    const { json: counted } = await post('/items/meeting/list?total=true', [{ field, operator, value }]);
    expect(counted.meta.total).toBe(expected.length);
  });

  it('are found by groups of criteria', async () => {
    const day = { field: 'day', operator: 'EMPTY', value: 'true' };
    const held = { field: 'state', operator: 'EQUALS', value: 'HELD' };
    const spring = { field: 'topic', operator: 'CONTAINS', value: 'pring' };
    const unknown = { field: 'nowhere', operator: 'EQUALS', value: 'x' };
    expect(await topics({ any: [held, spring] })).toEqual(['Leap', 'Spring']);
    expect(await topics({ any: [held, { all: [day, { field: 'topic', value: 'noth' }] }] })).toEqual([
      'Leap',
      'Nothing',
    ]);
    expect(await topics({ any: [held, spring] }, { any: [spring, unknown] })).toEqual(['Spring']);
    expect(await topics({ any: [unknown] }, { any: [] })).toHaveLength(6);
    expect(await topics({ any: [{ any: [{ any: [held] }] }] })).toEqual(['Leap']);
    expect((await listed([{ any: [held, spring] }], '?sort=-day&limit=1'))[0]?.values['topic']).toBe('Spring');
  });

  it.each([
    [[{ any: [{ any: [{ any: [{ any: [] }] }] }] }], ['[0].any[0].any[0].any[0].any: CRITERION'], '3 levels'],
    [[{ any: Array.from({ length: 100 }, () => ({})) }], ['[0].any: TOO_MANY'], '100 criteria'],
    [[{ any: 'x' }], ['[0].any: CRITERION', '[0].field: CRITERION']],
    [[{ any: [], field: 'day' }], ['[0].any: CRITERION']],
    [[{ any: [{ field: 'day', operator: 'AFTER', value: 'soon' }] }], ['[0].any[0].value: WRONG_TYPE'], '"soon"'],
    [[{ field: 'day', operator: 'AFTER', value: '-7h' }], ['[0].value: WRONG_TYPE'], '-7d'],
    [[{ field: 'day', operator: 'AFTER', value: '-9000y' }], ['[0].value: OUT_OF_RANGE'], '1000 years'],
    [
      [{ field: 'startsAt', operator: 'BETWEEN', value: '["-99999m","0d"]' }],
      ['[0].value: OUT_OF_RANGE'],
      '1000 years',
    ],
    [[{ field: 'day', operator: 'IN', value: '2024-02-29' }], ['[0].value: WRONG_TYPE']],
    [[{ field: 'seats', operator: 'IN', value: '[12345678901234567]' }], ['[0].value: WRONG_TYPE'], 'numbers as text'],
    [[{ field: 'seats', operator: 'BETWEEN', value: '["1"]' }], ['[0].value: WRONG_TYPE'], 'two values'],
    [[{ field: 'day', operator: 'EMPTY', value: 'yes' }], ['[0].value: WRONG_TYPE']],
    [[{ field: 'topic', operator: 'IN', value: '["a\\u0000"]' }], ['[0].value: CHARACTER'], 'U+0000'],
  ])('refuse criteria: %j', async (criteria, problems, named = '') => {
    const answer = await post('/items/meeting/list', criteria);
    const { code, message } = answer.json.error;
    expect([answer.status, code, problemsOf(answer)]).toEqual([400, 'BAD_REQUEST', problems]);
    expect(message).toContain(named);
  });

  it.each(['csv', 'jsonl'])('are the same after an export and an import as %s', async (format) => {
    const before = await listed([]);
    const file = await send(served.address, `/api/cms/exports/meeting?format=${format}`, { method: 'POST' });
    for (const { id } of before) await send(served.address, `/api/cms/items/meeting/${id}`, { method: 'DELETE' });
    const { json } = await send(served.address, '/api/cms/imports/meeting?match=topic', {
      method: 'POST',
      body: file.text,
      headers: { 'content-type': format === 'csv' ? 'text/csv' : 'application/x-ndjson' },
    });
    expect(json.data).toMatchObject({ created: before.length, problems: 0 });
    const after = await listed([]);
    const plain = (items: readonly Shown[]) =>
      items.map(({ values: { createdAt: _created, updatedAt: _updated, version: _version, ...values } }) => values);
    expect(plain(after)).toEqual(plain(before));
    const again = await send(served.address, '/api/cms/imports/meeting?match=topic', {
      method: 'POST',
      body: file.text,
      headers: { 'content-type': format === 'csv' ? 'text/csv' : 'application/x-ndjson' },
    });
    expect(again.json.data).toMatchObject({ unchanged: before.length });
  });

  it.each(['csv', 'jsonl'])('are keys by which files name items, as %s', async (format) => {
    const { json: slot } = await post('/items/slot', { at: `2026-03-29T01:30:00.5${format.length}Z` });
    await post('/items/booking', { slot: slot.data.id });
    const file = await send(served.address, `/api/cms/exports/booking?format=${format}`, { method: 'POST' });
    const { json } = await send(served.address, '/api/cms/imports/booking', {
      method: 'POST',
      body: file.text,
      headers: { 'content-type': format === 'csv' ? 'text/csv' : 'application/x-ndjson' },
    });
    expect(json.data).toMatchObject({ problems: 0 });
    const { json: found } = await post('/items/booking/list', []);
    const slots = (found.data as readonly Shown[]).map(({ values }) => (values['slot'] as { id: number }).id);
    expect(slots.filter((id) => id === slot.data.id).length).toBeGreaterThan(1);
  });

  it('have a schema that accepts the days that are accepted', () => {
    const { fields } = compileFields({ day: { type: 'DATE' }, at: { type: 'DATETIME' } });
    const [day, at] = fields.map((field) => new RegExp(String(field.kind.jsonSchema(field)['pattern']), 'u'));
    for (let time = Date.UTC(2023, 11, 31); time < Date.UTC(2028, 2, 2); time += 86_400_000) {
      const text = new Date(time).toISOString();
      expect([text, day?.test(text.slice(0, 10)), at?.test(text)]).toEqual([text, true, true]);
    }
    for (const wrong of ['2023-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '0000-01-01', '2026-00-10']) {
      expect([wrong, day?.test(wrong), at?.test(`${wrong}T00:00:00Z`)]).toEqual([wrong, false, false]);
    }
  });

  it.each([
    ['2026-07-01', '2026-07-01T00:00:00+00:00'],
    ['2026-07-01T09:30:00.5+02:00', '2026-07-01T07:30:00.5+00:00'],
    ['2026-07-01 09:30:00-01', '2026-07-01T10:30:00+00:00'],
    ['12:30', '12:30'],
  ])('read %s in the history of an instant as %s', (stored, read) => {
    const { fields } = compileFields({ at: { type: 'DATETIME' } });

    expect(fields[0]?.kind.fromHistory(stored)).toBe(read);
  });

  it('of the first century are taken for no change when they are sent again', async () => {
    const first = { topic: 'Early', day: '0050-01-01', startsAt: '0050-01-01T10:00:00Z' };
    const { json } = await create(first);
    const again = await sendJson(served.address, 'PATCH', `/api/cms/items/meeting/${json.data.id}`, first);
    expect(again.json.data.values).toMatchObject({ version: 1, startsAt: '0050-01-01T10:00:00+00:00' });
    await send(served.address, `/api/cms/items/meeting/${json.data.id}`, { method: 'DELETE' });
  });

  it('are sorted, page by page', async () => {
    for (const sort of ['day', '-day', 'startsAt', '-startsAt', 'opens', '-opens', 'state', 'rooms']) {
      const all = await listed([], `?sort=${sort}`);
      const found: unknown[] = [];
      let after: string | undefined;
      do {
        const cursor: string = after === undefined ? '' : `&after=${after}`;
        const { json } = await post(`/items/meeting/list?sort=${sort}&limit=1${cursor}`, []);
        found.push(...(json.data as readonly Shown[]));
        after = json.meta.nextCursor as string | undefined;
      } while (after !== undefined);
      expect(found).toEqual(all);
    }
  });

  it('are in the metadata with what they can be compared by', async () => {
    const { json } = await send(served.address, '/api/cms/items/meeting/metadata');
    const { searchable, fields } = json.data as Readonly<Record<string, readonly Record<string, unknown>[]>>;
    expect(searchable?.map(({ name, type, operators }) => [name, type, (operators as string[]).join(' ')])).toEqual([
      ['topic', 'string', 'EQUALS CONTAINS MORE_THAN LESS_THAN NOT_EQUALS IN EMPTY BETWEEN STARTS_WITH'],
      ['day', 'date', 'EQUALS CONTAINS MORE_THAN LESS_THAN NOT_EQUALS IN EMPTY BETWEEN BEFORE AFTER'],
      ['startsAt', 'datetime', 'EQUALS MORE_THAN LESS_THAN NOT_EQUALS IN EMPTY BETWEEN BEFORE AFTER'],
      ['opens', 'time', 'EQUALS MORE_THAN LESS_THAN NOT_EQUALS IN EMPTY BETWEEN'],
      ['state', 'enum', 'EQUALS NOT_EQUALS IN EMPTY'],
      ['rooms', 'enum', 'EQUALS CONTAINS NOT_EQUALS IN EMPTY'],
      ['seats', 'number', 'EQUALS MORE_THAN LESS_THAN NOT_EQUALS IN EMPTY BETWEEN'],
    ]);
    expect(fields?.[4]).toMatchObject({
      type: 'ENUM',
      options: ['PLANNED', 'HELD'],
      optionLabels: { HELD: 'Took place' },
    });
    expect(fields?.[4]).not.toHaveProperty('multiple');
    expect(fields?.[5]).toMatchObject({ type: 'ENUM', multiple: true });
    expect(fields?.[7]).toMatchObject({ type: 'DATE', min: '2026-01-01', max: '2026-12-31' });
  });

  it('have columns of their own types', async () => {
    expect(
      await content.rows(
        "SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'workshop_meeting' AND column_name IN ('day', 'starts_at', 'opens', 'state', 'rooms') ORDER BY ordinal_position",
      ),
    ).toEqual([
      { name: 'day', type: 'date' },
      { name: 'starts_at', type: 'timestamp with time zone' },
      { name: 'opens', type: 'time without time zone' },
      { name: 'state', type: 'character varying' },
      { name: 'rooms', type: 'jsonb' },
    ]);
  });

  it('are declared with options that make sense', () => {
    expect(problemsOfFields({ a: { type: 'ENUM' } }).join()).toContain('a is an ENUM without options');
    expect(problemsOfFields({ a: { type: 'ENUM', options: ['X'], optionLabels: { Y: 'Why' } } }).join()).toContain(
      'a has a label of Y, which is not an option',
    );
    expect(problemsOfFields({ a: { type: 'DATE', default: '2026-02-30' } }).join()).toContain(
      'a default that cannot be stored',
    );
    expect(problemsOfFields({ a: { type: 'DATE', column: 'VARCHAR(10)' } }).join()).toContain(
      'a is a DATE, whose values a column of the type VARCHAR(10) cannot hold',
    );
    expect(problemsOfFields({ a: { optionLabels: { Y: 'Why' } } }).join()).toContain(
      'optionLabels but its type is not ENUM',
    );
    expect(problemsOfFields({ a: { settings: {} } }).join()).toContain(
      'settings, which only field kinds of plugins have',
    );
  });
});
