import { useTestHost } from '../../support/platform';
import { itemsOf, send, sendJson, type Answer } from '../../support/rest-client';

const source = useTestHost();
const target = useTestHost();

const types = ['article', 'trendingarticlecomponent'] as const;
const bodies = ['', null, ' ', '""', "'=1+1", 'two\r\nlines', 'a,"b"'];

/** Articles without a key, of which one is gone, so that their ids are not those that another database would give. */
async function fill(): Promise<void> {
  const items = itemsOf(source);
  const gone = await items.created('article', { title: 'gone' });
  const ids: number[] = [];
  for (const [index, body] of bodies.entries()) ids.push(await items.created('article', { title: `a${index}`, body }));
  await items.remove('article', gone);
  await items.create('trendingarticlecomponent', { title: 'Read', articles: ids.toReversed() });
  await items.create('trendingarticlecomponent', { title: 'None' });
}

beforeAll(fill);

function exportFile(host: { readonly address: string }, type: string, query: string): Promise<Answer> {
  return sendJson(host.address, 'POST', `/api/cms/exports/${type}?${query}`, []);
}

function importFile(type: string, query: string, { text, headers }: Answer): Promise<Answer> {
  return send(target.address, `/api/cms/imports/${type}?${query}`, {
    method: 'POST',
    body: text,
    headers: { 'content-type': String(headers['content-type']) },
  });
}

/** All values, references and ids of a platform. */
function contentOf(host: { readonly address: string }): Promise<readonly string[]> {
  return Promise.all(types.map(async (type) => (await exportFile(host, type, 'ids=true')).text));
}

/** Copies all items by files; gives the error of each import. */
async function copy(exportOptions: string, importOptions: string): Promise<readonly unknown[]> {
  for (const type of types.toReversed()) await removeAll(type);
  const errors: unknown[] = [];
  for (const type of types) {
    const answer = await importFile(type, importOptions, await exportFile(source, type, exportOptions));
    errors.push(answer.json.error);
  }
  return errors;
}

const noErrors = types.map(() => undefined);

async function removeAll(type: string): Promise<void> {
  const items = itemsOf(target);
  const { json } = await items.list(type, '?limit=1000');
  for (const { id } of json.data as readonly { readonly id: number }[]) await items.remove(type, id);
}

describe('a file with ids that is imported with keepIds', () => {
  it.each([
    ['CSV', 'format=csv&ids=true&keepEmpty=true', 'keepIds=true&keepEmpty=true'],
    [
      'CSV for spreadsheets',
      'format=csv&ids=true&keepEmpty=true&safeCsv=true',
      'keepIds=true&keepEmpty=true&safeCsv=true',
    ],
    ['JSON lines', 'format=jsonl&ids=true', 'keepIds=true'],
    ['one JSON array', 'format=json&ids=true', 'keepIds=true'],
  ])('as %s is a copy without loss of items that have no key', async (_format, exportOptions, importOptions) => {
    expect(await copy(exportOptions, importOptions)).toEqual(noErrors);

    expect(await contentOf(target)).toEqual(await contentOf(source));
    expect((await contentOf(target))[0]).toContain('"body":""');
  });

  it('and CSV without keepEmpty has no value for empty text', async () => {
    expect(await copy('format=csv&ids=true', 'keepIds=true')).toEqual(noErrors);

    const [articles] = await contentOf(target);
    expect(articles).toEqual((await contentOf(source))[0]?.replace('"body":""', '"body":null'));
  });

  it('is refused by keys where the items have none', async () => {
    const { status, json } = await exportFile(source, 'trendingarticlecomponent', 'format=csv');

    expect([status, json.error.code]).toEqual([400, 'BAD_REQUEST']);
    expect(json.error.message).toContain('export with ids=true');
  });
});
