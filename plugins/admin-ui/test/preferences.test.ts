import { Client } from 'pg';
import { contentPlugins, useTestHost } from '../../../test/support/platform';
import { eventually } from '../../../test/support/eventually';
import { problemsOf, send, sendJson, type Answer } from '../../../test/support/rest-client';

const host = useTestHost({ plugins: ['plugins/admin-ui', ...contentPlugins] });
const path = '/admin/api/preferences';
const types = ['catalog', 'product', 'article', 'event'];

const view = { id: 'cheap', name: 'Cheap', parameters: 'f=price.LESS_THAN.3&sort=-price&columns=code%2Cprice' };

beforeEach(() => sql('DELETE FROM admin_ui_preference'));

function put(name: string, version: number | null, value: unknown): Promise<Answer> {
  return sendJson(host.address, 'PUT', `${path}/${name}`, { version, value });
}

async function list(): Promise<Answer['json']> {
  return (await send(host.address, path)).json.data;
}

async function sql(statement: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: host.databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('preferences of the admin pages', () => {
  it('are none at first, and come back as they were stored', async () => {
    expect(await list()).toEqual([]);
    const table = { columns: ['code', 'price'], widths: { id: 60, code: 120 }, density: 'compact' };
    const value = { ...table, views: [view], defaultView: 'cheap' };

    const stored = await put('list.product', null, value);

    expect(stored.status).toBe(200);
    expect(stored.json.data).toEqual({ name: 'list.product', version: expect.any(Number), value });
    expect(await list()).toEqual([stored.json.data]);
  });

  it('belong to one owner, so that sign-in can bring more', async () => {
    await put('favourites', null, { types: ['product', 'article'] });

    expect(await sql('SELECT owner, name FROM admin_ui_preference')).toEqual([{ owner: 'local', name: 'favourites' }]);
  });

  it('refuse a change that was made for another version, and keep what is stored', async () => {
    const first = await put('favourites', null, { types: ['product'] });
    const second = await put('favourites', first.json.data.version, { types: ['product', 'article'] });
    const late = await put('favourites', first.json.data.version, { types: ['event'] });
    const again = await put('favourites', null, { types: ['event'] });

    expect([second.status, late.status, again.status]).toEqual([200, 412, 412]);
    expect(late.json.error.code).toBe('VERSION_MISMATCH');
    expect((await list())[0].value).toEqual({ types: ['product', 'article'] });
  });

  it('take one of two changes that come at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        put('favourites', null, { types: types.slice(0, (index % types.length) + 1) }),
      ),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(412)]);
  });

  it('never give a removed preference its old version again', async () => {
    const { version } = (await put('favourites', null, { types: ['product'] })).json.data;
    expect((await send(host.address, `${path}/favourites?version=${version}`, { method: 'DELETE' })).status).toBe(204);
    await put('favourites', null, { types: ['article'] });

    expect((await put('favourites', version, { types: ['event'] })).status).toBe(412);
    expect((await send(host.address, `${path}/favourites?version=${version}`, { method: 'DELETE' })).status).toBe(412);
    expect((await send(host.address, `${path}/list.product?version=1`, { method: 'DELETE' })).status).toBe(404);
    expect((await send(host.address, `${path}/favourites?version=x`, { method: 'DELETE' })).status).toBe(400);
  });

  it('name every problem of a list at once', async () => {
    const answer = await sendJson(host.address, 'PUT', `${path}/list.product`, {
      version: '3',
      more: true,
      value: {
        columns: ['code', 'code', '1st', 7],
        views: [
          view,
          { ...view, name: ' cheap ' },
          { id: 'no good', name: ' ', parameters: 'after=abc&f=x' },
          { id: 'long', name: 'x'.repeat(81), parameters: 'y'.repeat(4001), extra: 1 },
          'view',
        ],
        defaultView: 'gone',
        rows: 1,
      },
    });

    expect(answer.status).toBe(400);
    expect(problemsOf(answer)).toEqual(
      expect.arrayContaining([
        'more: UNKNOWN_FIELD',
        'version: WRONG_TYPE',
        'value.rows: UNKNOWN_FIELD',
        'value.columns[2]: PATTERN',
        'value.columns[3]: WRONG_TYPE',
        'value.columns: DUPLICATE',
        'value.views[1].id: DUPLICATE',
        'value.views[1].name: NOT_UNIQUE',
        'value.views[2].id: PATTERN',
        'value.views[2].name: PATTERN',
        'value.views[2].parameters: UNKNOWN_FIELD',
        'value.views[3].name: TOO_LONG',
        'value.views[3].parameters: TOO_LONG',
        'value.views[3].extra: UNKNOWN_FIELD',
        'value.views[4]: WRONG_TYPE',
        'value.defaultView: REFERENCE_NOT_FOUND',
      ]),
    );
  });

  it.each([
    ['no object', 'favourites', [1], 400],
    ['no body', 'favourites', '', 400],
    ['no value', 'list.product', {}, 400],
    ['a text that cannot be stored', 'list.product', withView({ name: 'a\u0000b' }), 400],
    ['half of a surrogate pair', 'list.product', withView({ name: '\ud800' }), 400],
    [
      'too many views',
      'list.product',
      { version: null, value: { views: Array.from({ length: 51 }, () => view) } },
      400,
    ],
    ['a value of another kind', 'favourites', { version: null, value: { views: [] } }, 400],
    ['a name that no preference has', 'other', { version: null, value: {} }, 404],
    ['a type that no code can be', 'list.Product%20', { version: null, value: { views: [] } }, 404],
  ])('refuse %s with a clear answer', async (_what, name, body, status) => {
    const answer = await sendJson(host.address, 'PUT', `${path}/${name}`, body);

    expect(answer.status).toBe(status);
    expect(answer.json.error.message).toMatch(/\w/);
    expect(await list()).toEqual([]);
  });

  it('have a size that all of them together keep to', async () => {
    const views = Array.from({ length: 50 }, (_, index) => ({
      id: `v${index}`,
      name: `View ${index}`,
      parameters: `f=name.CONTAINS.${'x'.repeat(3900)}`,
    }));
    expect((await put('list.product', null, { views })).status).toBe(200);

    const more = await put('list.article', null, { views });

    expect(more.status).toBe(413);
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['list.product']);
  });

  it('are about types that are shown, or that were when they were stored', async () => {
    const list = await put('list.nothing', null, { views: [] });
    expect([list.status, list.json.error.code]).toEqual([404, 'NOT_FOUND']);
    const favourites = await put('favourites', null, { types: ['product', 'nothing'] });
    expect(problemsOf(favourites)).toEqual(['value.types[1]: REFERENCE_NOT_FOUND']);

    await sql(`INSERT INTO admin_ui_preference (owner, name, version, value) VALUES
      ('local', 'list.gone', 1, '{"views":[]}'), ('local', 'favourites', 2, '{"types":["gone"]}')`);
    const statuses = [
      await put('list.gone', 1, { views: [view] }),
      await put('favourites', 2, { types: ['gone', 'event'] }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('are for so many lists at most', async () => {
    await sql(`INSERT INTO admin_ui_preference (owner, name, value)
      SELECT 'local', 'list.t' || n, '{"views":[]}' FROM generate_series(1, 500) AS n`);

    expect((await put('list.product', null, { views: [] })).status).toBe(413);
    expect((await put('favourites', null, { types: ['product'] })).status).toBe(200);
  });

  it('answer other methods as every path does', async () => {
    expect((await send(host.address, path, { method: 'DELETE' })).headers.allow).toBe('GET, HEAD');
    expect((await sendJson(host.address, 'POST', `${path}/favourites`, {})).status).toBe(405);
  });

  it('follow renamed types and fields, and go with purged ones', async () => {
    await put('favourites', null, { types: ['article', 'product'] });
    await put('list.product', null, { columns: ['code', 'price'], widths: { price: 90 }, views: [view] });
    await put('list.article', null, { columns: ['title'] });
    const renamed = { type: 'event', earlierType: 'product', fields: [{ from: 'price', to: 'cost' }] };
    const events = [
      { kind: 'renamed', plugin: 'catalog', types: [renamed] },
      { kind: 'purged', plugin: 'articles', types: ['article'] },
    ];
    // As the start of another host and a command leave them.
    await sql(
      `CREATE TABLE gantry_type_event (
         id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz(3) NOT NULL DEFAULT now(), event jsonb NOT NULL);
       CREATE TABLE gantry_type_event_reader (plugin text PRIMARY KEY, last_id bigint NOT NULL);
       INSERT INTO gantry_type_event (event) SELECT * FROM jsonb_array_elements('${JSON.stringify(events)}')`,
    );
    await eventually(async () => (await sql("SELECT FROM admin_ui_preference WHERE name = 'list.event'")).length === 1);
    const parameters = 'f=cost.LESS_THAN.3&sort=-cost&columns=code%2Ccost';
    expect(await list()).toMatchObject([
      { name: 'favourites', value: { types: ['article', 'event'] } },
      {
        name: 'list.event',
        value: { columns: ['code', 'cost'], widths: { cost: 90 }, views: [{ ...view, parameters }] },
      },
    ]);
  });
});

function withView(change: object): object {
  return { version: null, value: { views: [{ ...view, ...change }] } };
}
