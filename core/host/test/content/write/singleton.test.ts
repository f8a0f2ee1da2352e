import type { Failure, Row } from '@gantry/contracts';
import { bringUpToDate } from '@gantry/core-database';
import { createOpenPolicy, itemMetadata, tablesOf, userScope } from '@gantry/core-content';
import { requestIdOf } from '@gantry/core-http';
import {
  compile,
  compileFields,
  declareType,
  problemsOfFields,
} from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { execute } from '../../../../../test/support/database';
import { useEmptyDatabase } from '../../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../../test/support/recorded-logger';
import { serveItems, type ServedItems } from '../support/serve-items';

const fields = { title: { required: true, default: 'My site' }, pages: { type: 'NUMBER', default: 3 } } as const;
const Site = declareType('Site', fields, { singleton: true });

let content: OpenTypes;
let served: ServedItems;
beforeAll(async () => {
  content = await openTypes([Site]);
  served = await serveItems(content, (request) =>
    userScope(createOpenPolicy(content.types), '7', requestIdOf(request)),
  );
});
afterAll(() => served.close());

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(`${served.address}/api/cms/${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Partial<Failure> & { readonly data?: unknown };
  return { status: response.status, ...answer };
}

const rows = async (): Promise<readonly Row[]> => (await ask('POST', 'items/site/list', [])).data as readonly Row[];

describe('a type with exactly one item', () => {
  it('has it from the start, with the defaults and a first version', async () => {
    const found = await rows();
    expect(found).toMatchObject([{ values: { title: 'My site', pages: 3, version: 1 } }]);
    const history = await ask('GET', `items/site/${found[0]?.id}/history`);
    expect(history.data).toMatchObject([
      { action: 'created', source: 'plugin', values: { title: 'My site', pages: 3 } },
    ]);
    expect((await ask('POST', 'search?q=my%20site')).data).toMatchObject([
      { type: 'site', items: [{ label: 'My site' }] },
    ]);
  });

  it('says so in metadata, list of types and OpenAPI', async () => {
    expect((await ask('GET', 'items/site/metadata')).data).toMatchObject({
      singleton: true,
      displayNamePlural: 'Site',
    });
    expect((await ask('GET', 'items/types')).data).toMatchObject([{ type: 'site', singleton: true }]);
    const { paths } = (await (await fetch(`${served.address}/api/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    expect(paths['/api/cms/items/site']).toBeUndefined();
    expect(Object.keys(paths['/api/cms/items/site/{id}'] ?? {})).not.toContain('delete');
    expect(Object.keys(paths['/api/cms/items/site/{id}'] ?? {})).toContain('patch');
  });

  it('refuses a second one and the deletion of the only one, and takes changes', async () => {
    const id = (await rows())[0]?.id ?? 0;
    expect(await ask('POST', 'items/site', { title: 'Other' })).toMatchObject({
      status: 409,
      error: {
        code: 'CONFLICT',
        message: 'Site has exactly one item: no second item can be created. Change it instead.',
      },
    });
    expect(await ask('DELETE', `items/site/${id}`)).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    expect(await ask('PATCH', `items/site/${id}`, { title: 'Shop' })).toMatchObject({
      status: 200,
      data: { values: { title: 'Shop', version: 2 } },
    });
    await expect(
      content
        .items('workshop')
        .of(Site)
        .create({ title: 'Third' } as never),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await rows()).toHaveLength(1);
  });

  it('imports changes of it, and no other item', async () => {
    const importing = (csv: string, query: string) =>
      fetch(`${served.address}/api/cms/imports/site${query}`, {
        method: 'POST',
        headers: { 'content-type': 'text/csv' },
        body: csv,
      });
    const id = (await rows())[0]?.id ?? 0;
    expect((await importing('title\nSecond\n', '')).status).toBe(409);
    expect((await importing(`id,title\n${id},Imported\n`, '?match=id')).status).toBe(200);
    expect(await rows()).toMatchObject([{ id, values: { title: 'Imported' } }]);
  });
});

describe('the table of a type with exactly one item', () => {
  const tables = (options: { readonly singleton?: true }) =>
    tablesOf(compile(declareType('Site', fields, options)), () => '', { columns: [], indexes: [] });

  const empty = useEmptyDatabase();

  async function start(options: { readonly singleton?: true }) {
    return bringUpToDate({
      databaseUrl: empty.database.url,
      plugins: [{ id: 'workshop', migrations: [], tables: tables(options) }],
      logger: createRecordedLogger(),
    });
  }

  it('gets its item once, also where the type was there before', async () => {
    await start({});
    expect((await start({ singleton: true })).applied).toMatchObject([{ kind: 'row' }]);
    expect((await start({ singleton: true })).applied).toEqual([]);
  });

  it('keeps the plugin from starting while it has several', async () => {
    await start({});
    await execute(empty.database.url, "INSERT INTO workshop_site (title) VALUES ('A'), ('B')");
    expect((await start({ singleton: true })).failures).toEqual([
      {
        plugin: 'workshop',
        code: 'SCHEMA_SINGLETON_ROWS',
        reason: 'Table "workshop_site" has 2 rows, and its type is a singleton, which has one item.',
        remedy: 'Delete the other items before, or take singleton out of the declaration of the type.',
      },
    ]);
  });
});

describe('the declaration of a type with exactly one item', () => {
  it.each([
    [{ title: { required: true } }, 'title is required and has no default'],
    [{ home: { type: 'REFERENCE', targetEntity: 'other.Thing', onDelete: 'cascade' } }, 'home has onDelete cascade'],
  ] as const)('is refused where the item could not exist: %j', (declared, problem) => {
    expect(problemsOfFields(declared, { singleton: true }).join()).toContain(problem);
  });

  it('takes required fields that are only shown at times', () => {
    const declared = {
      a: { type: 'BOOLEAN' },
      b: { required: true, visibleIf: { field: 'a', equals: true } },
    } as const;
    expect(itemMetadata(compileFields(declared, { singleton: true })).singleton).toBe(true);
  });
});
