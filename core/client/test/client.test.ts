import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useTestHost } from '../../../test/support/platform';
import { createGantryClient, isRequestError, type Change, type ItemTypeShape } from '../src';
import { printClientTypes } from '../src/generate';

const project = join(__dirname, '../../..');

interface Row {
  readonly id: number;
  readonly values: Readonly<Record<string, unknown>>;
}

interface AnyType extends ItemTypeShape {
  readonly row: Row;
  readonly create: Readonly<Record<string, unknown>>;
  readonly update: Readonly<Record<string, unknown>>;
  readonly criteria: readonly { readonly field: string; readonly operator: string; readonly value: unknown }[];
}

const host = useTestHost({ plugins: ['plugins/catalog', 'plugins/articles', 'test/samples/recipes'] });

test('the name of a platform cannot end the comment of the printed types', () => {
  const printed = printClientTypes({ info: { title: 'Shop */\nrun();', version: '1' }, paths: {} });
  expect(printed.split('\n')[0]).toBe(
    '/* Made by gantry client generate from Shop *\\/ run(); 1. Changes are lost when it runs again. */',
  );
});

describe('the client of a platform', () => {
  const open = () => createGantryClient<{}, Record<'catalog' | 'article', AnyType>>({ url: host.address });

  it('creates, reads, changes, lists and deletes items', async () => {
    const catalogs = open().items('catalog');
    const { id } = await catalogs.create({ code: 'garden', name: 'Garden' });
    expect(await catalogs.get(id)).toMatchObject({ id, values: { code: 'garden' } });
    expect(await catalogs.update(id, { name: 'Gardens' }, 1)).toMatchObject({
      values: { name: 'Gardens', version: 2 },
    });
    const named = [{ field: 'name', operator: 'CONTAINS', value: 'Garden' }];
    expect(await catalogs.list(named)).toMatchObject({ items: [{ id }], nextCursor: undefined });
    await catalogs.remove(id, 2);
    expect(await catalogs.list(named)).toMatchObject({ items: [] });
  });

  it('reads all pages of a list', async () => {
    const articles = open().items('article');
    for (const title of ['a', 'b', 'c', 'd', 'e']) await articles.create({ title });
    const titles: unknown[] = [];
    for await (const { values } of articles.all([], { limit: 2, sort: 'title' })) titles.push(values['title']);
    expect(titles).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('rejects with the error of the platform', async () => {
    const error: unknown = await open()
      .items('catalog')
      .create({ name: 'Without a code' })
      .catch((thrown: unknown) => thrown);
    expect(isRequestError(error)).toBe(true);
    expect(error).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      details: [{ path: 'code', code: 'REQUIRED' }],
    });
  });

  it('names the query parameter and the criterion that are refused', async () => {
    const detailsOf = (request: Promise<unknown>): Promise<unknown> => request.catch((thrown: unknown) => thrown);

    const client = open();
    expect(await detailsOf(client.items('catalog').list([], { limit: 0 }))).toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'limit', code: 'OUT_OF_RANGE' }],
    });
    expect(
      await detailsOf(client.items('catalog').list([{ field: 'id', operator: 'EQUALS', value: 'x' }])),
    ).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: '[0].value', code: 'WRONG_TYPE' }] });
    expect(
      await detailsOf(
        client.items('catalog').list([{ field: 'code', operator: 'CONTAINS', value: '' }], { strict: true }),
      ),
    ).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: '[0].value', code: 'REQUIRED' }] });
    expect(await detailsOf(take(client.changes({ after: 'here' }), 1))).toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'after', code: 'PATTERN' }],
    });
  });

  it('follows the changes of items, and continues where it ended', async () => {
    const client = open();
    const { id } = await client.items('catalog').create({ code: 'first', name: 'First' });
    const [first] = await take(client.changes({ after: '0.0.0', types: ['catalog'] }), 1);
    const rest = take(client.changes({ after: first?.position ?? '', types: ['catalog'] }), 3);
    await client.items('catalog').create({ code: 'second', name: 'Second' });
    const changes = [first, ...(await rest)];
    expect(changes.map((change) => change?.action)).toEqual(['created', 'updated', 'deleted', 'created']);
    expect(changes.at(-1)).toMatchObject({ type: 'catalog', id, values: { code: 'first' } });
  });

  it('ends the iteration of a feed that is refused with the error of the platform', async () => {
    await expect(take(open().changes({ after: 'nowhere' }), 1)).rejects.toMatchObject({ status: 400 });
  });

  async function take(feed: AsyncIterable<Change>, count: number): Promise<readonly Change[]> {
    const taken: Change[] = [];
    for await (const change of feed) {
      taken.push(change);
      if (taken.length === count) break;
    }
    return taken;
  }
});

describe('the types that are generated for a client', () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-client-types-'));
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const document: unknown = await (await fetch(new URL('/api/openapi.json', host.address))).json();
    writeFileSync(join(folder, 'gantry-types.ts'), printClientTypes(document));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const sound = `import { createClient } from './gantry-types.js';
const gantry = createClient({ url: 'http://127.0.0.1:3000' });
export async function use(): Promise<readonly (string | number | null)[]> {
  const product = await gantry.items('product').create({ code: 'A', catalog: 1, approvalStatus: 'APPROVED', price: 12.5 });
  const changed = await gantry.items('product').update(product.id, { name: null }, product.values.version);
  const page = await gantry.items('recipe').list([{ field: 'title', operator: 'CONTAINS', value: 'soup' }]);
  const { data, error } = await gantry.api.GET('/api/cms/items/product/{id}', { params: { path: { id: 1 } } });
  const quickest = await gantry.api.GET('/recipes/quickest');
  const label: string | undefined = data?.data.values.catalog?.label;
  for await (const { type, position } of gantry.changes({ types: ['product'] })) return [type, position];
  return [changed.values.price ?? null, page.nextCursor ?? null, error?.error.code ?? null, label ?? null, quickest.response.status];
}
`;

  it.each([
    ['5', 'node_modules/typescript-5/bin/tsc'],
    ['7', 'node_modules/typescript/bin/tsc'],
  ])('are what TypeScript %s checks the use of the client by', (_version, compiler) => {
    const wrong = sound.replace("code: 'A'", "cod: 'A'").replace("'/recipes/quickest'", "'/recipes/slowest'");
    const problems = compile(compiler, { 'sound.ts': sound, 'wrong.ts': wrong });
    expect(problems.map((problem) => problem.slice(0, 10))).toEqual(['wrong.ts(4', 'wrong.ts(8']);
    expect(problems[0]).toContain("'cod' does not exist");
  });

  function compile(compiler: string, files: Readonly<Record<string, string>>): readonly string[] {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--module',
      'node16',
      '--types',
      'node',
    ];
    const { stdout } = spawnSync(process.execPath, [join(project, compiler), ...options, ...Object.keys(files)], {
      cwd: folder,
      encoding: 'utf8',
    });
    return stdout.split('\n').filter((line) => line.includes('error TS'));
  }
});
