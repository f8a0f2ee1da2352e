import type { TestHost } from '../../../support/platform';
import { itemsOf, send, sendJson, type Answer } from '../../../support/rest-client';
import { emptyTables } from '../../support/empty-tables';

/** Files with ids. */
export function describeLosslessFiles(host: TestHost): void {
  const items = itemsOf(host);
  const types = ['article', 'trendingarticlecomponent'] as const;
  const bodies = ['', null, ' ', '""', "'=1+1", 'two\r\nlines', 'a,"b"'];

  /** Articles without a key, of which one is gone, so that their ids are not those that another database would give. */
  async function fill(): Promise<void> {
    const gone = await items.created('article', { title: 'gone' });
    const ids: number[] = [];
    for (const [index, body] of bodies.entries()) {
      ids.push(await items.created('article', { title: `a${index}`, body }));
    }
    await items.remove('article', gone);
    await items.create('trendingarticlecomponent', { title: 'Read', articles: ids.toReversed() });
    await items.create('trendingarticlecomponent', { title: 'None' });
  }

  beforeEach(async () => {
    await emptyTables(host);
    await fill();
  });

  function exportFile(type: string, query: string): Promise<Answer> {
    return sendJson(host.address, 'POST', `/api/cms/exports/${type}?${query}`, []);
  }

  function importFile(type: string, query: string, { text, headers }: Answer): Promise<Answer> {
    return send(host.address, `/api/cms/imports/${type}?${query}`, {
      method: 'POST',
      body: text,
      headers: { 'content-type': String(headers['content-type']) },
    });
  }

  /** All values, references and ids. */
  function content(): Promise<readonly string[]> {
    return Promise.all(types.map(async (type) => (await exportFile(type, 'ids=true')).text));
  }

  /** Imports files of all items where there are none, as on another platform; gives the error of each import. */
  async function copy(exportOptions: string, importOptions: string): Promise<readonly unknown[]> {
    const files: Answer[] = [];
    for (const type of types) files.push(await exportFile(type, exportOptions));
    await emptyTables(host);
    const errors: unknown[] = [];
    for (const [index, type] of types.entries()) {
      const answer = await importFile(type, importOptions, files[index] as Answer);
      errors.push(answer.json.error);
    }
    return errors;
  }

  const noErrors = types.map(() => undefined);

  describe('a file with ids that is imported with keepIds', () => {
    it.each([
      ['CSV', 'format=csv&ids=true&keepEmpty=true', 'keepIds=true&keepEmpty=true'],
      [
        'CSV for spreadsheets',
        'format=csv&ids=true&keepEmpty=true&safeCsv=true',
        'keepIds=true&keepEmpty=true&safeCsv=true',
      ],
      ['JSON Lines', 'format=jsonl&ids=true', 'keepIds=true'],
      ['one JSON array', 'format=json&ids=true', 'keepIds=true'],
    ])('as %s is a copy without loss of items that have no key', async (_format, exportOptions, importOptions) => {
      const before = await content();
      expect(await copy(exportOptions, importOptions)).toEqual(noErrors);

      const after = await content();
      expect(after).toEqual(before);
      expect(after[0]).toContain('"body":""');
    });

    it('and CSV without keepEmpty has no value for empty text', async () => {
      const [before] = await content();
      expect(await copy('format=csv&ids=true', 'keepIds=true')).toEqual(noErrors);

      const [after] = await content();
      expect(after).toEqual(before?.replace('"body":""', '"body":null'));
    });

    it('is refused by keys where the items have none', async () => {
      const { status, json } = await exportFile('trendingarticlecomponent', 'format=csv');

      expect([status, json.error.code]).toEqual([400, 'BAD_REQUEST']);
      expect(json.error.message).toContain('ids=true');
    });
  });
}
