import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { eventually } from '../support/eventually';
import { startTestHost, type TestHost } from '../support/platform';

const root = join(__dirname, '../..');
const items = '/api/cms/items';

/**
 * The files that a reader opens between route, PostgreSQL and envelope. Left out are the words that all of them use (kinds, descriptors,
 * scope), and what each request passes before its route.
 */
const walked = new RegExp(
  [
    'core/http/src/items/',
    'core/http/src/exchange/(?:input/(?:body|preconditions)|answer/send)[.]',
    'core/content/src/(?:query|read|sql|write)/',
    'core/database/src/(?:create-database|transactions/(?:prepared-query|item-transaction))[.]',
  ].join('|'),
);

const folder = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-walks-`));
const target = join(folder, 'files.json');
let host: TestHost;
let catalog: number;
let product: string;

beforeAll(async () => {
  const require = `--require ${join(root, 'test/support/run-files.cjs')}`;
  host = await startTestHost({ environment: { NODE_OPTIONS: require, GANTRY_TEST_RUN_FILES: target } });
  catalog = (await ask('POST', `${items}/catalog`, { code: 'C', name: 'C' })).id;
  const { id } = await ask('POST', `${items}/product`, { code: 'P', name: 'P', price: 1, catalog });
  product = `${items}/product/${id}`;
});
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

async function ask(method: string, path: string, body: object): Promise<{ readonly id: number }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(host.address + path, { method, headers, body: JSON.stringify(body) });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { readonly data: { readonly id: number } }).data;
}

/** The files of which functions run while a request is answered that was answered before, so that all that is made once is made. */
async function filesOf(request: (attempt: number) => Promise<unknown>): Promise<readonly string[]> {
  for (const attempt of [1, 2, 3]) await request(attempt);
  await takeFiles();
  await request(4);
  const files = (await takeFiles()).map((file) => relative(root, file).replaceAll('\\', '/'));
  return files.map((file) => file.replace('/dist/', '/src/').replace(/js$/, 'ts')).filter((file) => walked.test(file));
}

async function takeFiles(): Promise<readonly string[]> {
  rmSync(target, { force: true });
  process.kill(host.pid, 'SIGUSR2');
  await eventually(() => existsSync(target));
  return JSON.parse(readFileSync(target, 'utf8')) as readonly string[];
}

/** The files that a section of the page about the architecture names. */
function filesIn(section: string): readonly string[] {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  return [...text.matchAll(/`([\w./-]+[.]ts)`/g)].flatMap(([, file = '']) => (walked.test(file) ? file : []));
}

describe('the files from the route to PostgreSQL and back', () => {
  it.each([
    ['The way of a change', () => filesOf((attempt) => ask('PATCH', product, { name: `Name ${attempt}` }))],
    [
      'The way of a list request',
      () =>
        filesOf(() => ask('POST', `${items}/product/list`, [{ field: 'name', operator: 'CONTAINS', value: 'Name' }])),
    ],
  ])('are those of the page, and at most 15: %s', async (section, measure) => {
    const files = await measure();
    expect(files.toSorted()).toEqual(filesIn(section).toSorted());
    expect(files.length).toBeLessThanOrEqual(15);
  });

  it('are at most 27 for a change that has to know the item before', async () => {
    const files = await filesOf((attempt) =>
      ask('PATCH', product, { catalog, name: `Name ${attempt % 2}`, image: null }),
    );
    expect(files.length).toBeLessThanOrEqual(27);
  });
});
