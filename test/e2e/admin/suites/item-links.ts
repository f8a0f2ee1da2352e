import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { itemsOf, problemsOf, send, sendJson, type Answer } from '../../../support/rest-client';
import { doc, documentEditor, paragraph, text } from '../support/documents';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';

export function describeItemLinks(host: TestHost, tab: () => AdminTab): void {
  const items = itemsOf(host);

  const itemLink = (type: unknown, id: unknown, label = 'here') => ({
    ...text(label),
    marks: [{ type: 'itemLink', attrs: { type, id } }],
  });
  const linking = (...links: readonly (readonly [type: unknown, id: unknown])[]) =>
    doc(paragraph(text('See '), ...links.map(([type, id]) => itemLink(type, id))));

  let count = 0;
  const speaker = (): Promise<number> => items.created('speaker', { code: `S-${(count += 1)}`, name: 'Ada' });
  const talk = (values: object = {}): Promise<number> =>
    items.created('talk', { code: `T-${(count += 1)}`, ...values });
  const to = (type: string, id: number) => linking([type, String(id)]);

  describe('a link to an item in a rich text', () => {
    it('is stored as it was sent and keeps the item', async () => {
      const ada = await speaker();
      const summary = linking(['speaker', String(ada)], ['speaker', String(ada)]);
      const id = await talk({ summary });
      expect((await items.row('talk', id)).values.summary).toEqual(summary);
      const refused = await items.remove('speaker', ada);
      expect([refused.status, problemsOf(refused)]).toEqual([409, ['talk.summary: REFERENCED_BY']]);
      expect(refused.json.error.message).toContain('1 Talk (summary)');
      const used = await items.get(`speaker/${ada}/references`);
      expect(used.json.data).toEqual([
        expect.objectContaining({
          type: 'talk',
          field: 'summary',
          count: 1,
          items: [{ id: String(id), label: expect.any(String) }],
        }),
      ]);

      await items.patch('talk', id, { summary: doc(paragraph(text('None'))) });
      expect((await items.remove('speaker', ada)).status).toBe(204);
    });

    it.each([
      ['an unknown type', ['wizard', '1'], 'attrs.type', 'NOT_AN_OPTION'],
      ['a type that the field does not have', ['venue', '1'], 'attrs.type', 'NOT_AN_OPTION'],
      ['a type that is no text', [['speaker'], '1'], 'attrs.type', 'NOT_AN_OPTION'],
      ['a name of every object', ['constructor', '1'], 'attrs.type', 'NOT_AN_OPTION'],
      ['an id with a leading zero', ['speaker', '012'], 'attrs.id', 'WRONG_TYPE'],
      ['an id of 30 digits', ['speaker', '9'.repeat(30)], 'attrs.id', 'WRONG_TYPE'],
      ['an id beyond 64 bits', ['speaker', '9223372036854775808'], 'attrs.id', 'WRONG_TYPE'],
      ['an id that is a number', ['speaker', 12], 'attrs.id', 'WRONG_TYPE'],
      ['a script as id', ['speaker', 'javascript:alert(1)'], 'attrs.id', 'WRONG_TYPE'],
      ['no id', ['speaker', undefined], 'attrs.id', 'WRONG_TYPE'],
    ] as const)('is refused with %s', async (_what, link, at, code) => {
      const answer = await items.create('talk', { code: 'X', summary: linking(link) });
      expect([answer.status, problemsOf(answer)]).toEqual([
        400,
        [`summary.content[0].content[1].marks[0].${at}: ${code}`],
      ]);
    });

    it('cannot have an address, and is no link to one', async () => {
      const mark = { type: 'itemLink', attrs: { type: 'speaker', id: '1', href: 'javascript:alert(1)' } };
      const withHref = await items.create('talk', {
        code: 'X',
        summary: doc(paragraph({ ...text('a'), marks: [mark] })),
      });
      expect(problemsOf(withHref)).toEqual(['summary.content[0].content[0].marks[0].attrs.href: UNKNOWN_FIELD']);
      const marks = [
        { type: 'link', attrs: { href: 'https://example.org' } },
        { type: 'itemLink', attrs: { type: 'speaker', id: '1' } },
      ];
      const both = await items.create('talk', { code: 'X', summary: doc(paragraph({ ...text('a'), marks })) });
      expect(problemsOf(both)).toEqual(['summary.content[0].content[0].marks: NOT_AN_OPTION']);
    });

    it('is refused to an item that does not exist, or was deleted, or is the item itself', async () => {
      const gone = await speaker();
      await items.remove('speaker', gone);
      for (const id of ['9223372036854775807', String(gone)]) {
        const created = await items.create('talk', { code: 'X', summary: linking(['speaker', id]) });
        expect([created.status, problemsOf(created)]).toEqual([400, ['summary: REFERENCE_NOT_FOUND']]);
        expect(created.json.error.message).toContain(`summary refers to Speaker ${id}, which does not exist`);
      }
      const own = await talk();
      const changed = await items.patch('talk', own, { summary: to('speaker', gone) });
      expect([changed.status, problemsOf(changed)]).toEqual([400, ['summary: REFERENCE_NOT_FOUND']]);
      const itself = await items.patch('talk', own, { summary: to('talk', own) });
      expect([itself.status, problemsOf(itself)]).toEqual([400, ['summary: SELF_REFERENCE']]);
      const guessed = await items.create('talk', { code: 'G', summary: to('talk', own + 1) });
      expect([guessed.status, problemsOf(guessed)]).toEqual([400, ['summary: SELF_REFERENCE']]);
    });

    it('is refused two and ten thousand times, and accepted a thousand times', async () => {
      const many = (length: number) =>
        linking(...Array.from({ length }, (_one, index) => ['speaker', `${index + 1}`] as const));
      const answer = await items.create('talk', { code: 'X', summary: many(2_000) });
      expect([answer.status, problemsOf(answer)]).toEqual([400, ['summary: TOO_MANY']]);
      // So many are refused before they are read.
      expect((await items.create('talk', { code: 'X', summary: many(10_000) })).status).toBe(400);
      const missing = await items.create('talk', { code: 'X', summary: many(1_000) });
      expect(problemsOf(missing)[0]).toBe('summary: REFERENCE_NOT_FOUND');
    });

    it('is not there where the field declares no targets', async () => {
      const answer = await items.create('venue', { name: 'Hall', story: linking(['speaker', '1']) });
      expect([answer.status, problemsOf(answer)]).toEqual([
        400,
        ['story.content[0].content[1].marks[0].type: NOT_AN_OPTION'],
      ]);
    });

    it('with removeLink becomes plain text when the item is deleted, once that is confirmed', async () => {
      const [ada, bob] = [await speaker(), await speaker()];
      const id = await talk({ thanks: linking(['speaker', String(ada)], ['speaker', String(bob)]) });
      const asked = await items.remove('speaker', ada);
      expect([asked.status, asked.json.error.deletion.confirm]).toEqual([409, 'talk.update=1']);
      const path = `/api/cms/items/speaker/${ada}?confirm=talk.update=1`;
      expect((await send(host.address, path, { method: 'DELETE' })).status).toBe(204);
      const { values } = await items.row('talk', id);
      expect(values.thanks).toEqual(doc(paragraph(text('See '), text('here'), itemLink('speaker', String(bob)))));
      expect((await items.remove('speaker', bob)).status).toBe(409);
    });

    it('is looked for again when a version is restored', async () => {
      const ada = await speaker();
      const id = await talk({ summary: to('speaker', ada) });
      await items.patch('talk', id, { summary: null });
      await items.remove('speaker', ada);
      const answer = await sendJson(host.address, 'POST', `/api/cms/items/talk/${id}/restore`, { version: 1 });
      expect([answer.status, problemsOf(answer)]).toEqual([400, ['summary: REFERENCE_NOT_FOUND']]);
    });
  });

  describe('a link to an item in a file', () => {
    const exported = (query: string): Promise<Answer> =>
      sendJson(host.address, 'POST', `/api/cms/exports/talk?${query}`, []);
    const imported = (text: string, query = '', type = 'application/x-ndjson'): Promise<Answer> =>
      send(host.address, `/api/cms/imports/talk?${query}`, {
        method: 'POST',
        body: text,
        headers: { 'content-type': type },
      });

    const found = async (code: string): Promise<number> =>
      Number((await items.list('talk', '', [{ field: 'code', operator: 'EQUALS', value: code }])).json.data[0].id);

    it.each([
      ['jsonl', 'application/x-ndjson'],
      ['json', 'application/json'],
      ['csv', 'text/csv'],
    ])('comes back from a file as %s, to items further down as well', async (format, type) => {
      const ada = await speaker();
      const { values: code } = await items.row('speaker', ada);
      const first = await talk();
      const last = await talk();
      await items.patch('talk', first, { summary: linking(['speaker', String(ada)], ['talk', String(last)]) });
      const { values } = await items.row('talk', first);
      const { values: others } = await items.row('talk', last);
      const file = await exported(`format=${format}`);
      expect(file.text).toContain(format === 'csv' ? `""key"":""${code.code}""` : `"key":"${code.code}"`);
      const ids = (await items.list('talk')).json.data.map(({ id }: { id: number }) => id) as readonly number[];
      // Items that refer to others first.
      for (const id of ids) await items.patch('talk', id, { summary: null });
      for (const id of ids) await items.remove('talk', id);

      const answer = await imported(file.text, '', type);
      expect(answer.json.data).toMatchObject({ created: ids.length, problems: 0 });
      const [copy, target] = await Promise.all([found(values.code), found(others.code)]);
      expect((await items.row('talk', copy)).values.summary).toEqual(
        linking(['speaker', String(ada)], ['talk', String(target)]),
      );
      expect((await items.remove('speaker', ada)).status).toBe(409);
      expect((await items.remove('talk', target)).status).toBe(409);
    });

    it('is refused with the line where the key is of no item', async () => {
      const mark = (attrs: object) =>
        JSON.stringify({ code: 'L', summary: doc(paragraph({ ...text('a'), marks: [{ type: 'itemLink', attrs }] })) });
      const problems = async (attrs: object): Promise<unknown> =>
        (await imported(`{"code":"K"}\n${mark(attrs)}`)).json.error.details;
      expect(await problems({ type: 'speaker', key: 'unknown' })).toEqual([
        expect.objectContaining({ path: 'summary', code: 'REFERENCE_NOT_FOUND' }),
      ]);
      expect(await problems({ type: 'speaker', id: '999999' })).toEqual([
        expect.objectContaining({ path: 'summary', code: 'REFERENCE_NOT_FOUND' }),
      ]);
      expect(await problems({ type: 'talk', key: 'nothing' })).toEqual([
        expect.objectContaining({ path: 'summary', code: 'REFERENCE_NOT_FOUND' }),
      ]);
      expect(await problems({ type: 'speaker', key: { wrong: 1 } })).toEqual([
        expect.objectContaining({
          path: 'summary',
          code: 'WRONG_TYPE',
          message: 'summary must name each item of type speaker that it links to by its code as key, or by its id',
        }),
      ]);
    });
  });

  // After what exports and removes all items of the type.
  describe('a link to an item in a rich text, at the same time', () => {
    it('never stays to an item that is deleted at the same time', async () => {
      for (let round = 0; round < 30; round += 1) {
        const ada = await speaker();
        const id = await talk();
        const [linked, removed] = await Promise.all([
          items.patch('talk', id, { summary: to('speaker', ada) }),
          items.remove('speaker', ada),
        ]);
        const outcome = [linked.status, problemsOf(linked)[0], removed.status].join(' ');
        expect(['200  409', '400 summary: REFERENCE_NOT_FOUND 204']).toContain(outcome);
      }
    });
  });

  describe('a link to an item in the editor', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    const { box, toolbar, edit } = documentEditor(() => tab().page);
    const button = () => toolbar('Summary').getByRole('button', { name: 'Link to item' });
    const dialog = () => tab().page.getByRole('dialog', { name: 'Link to item' });
    const save = async (): Promise<number> => {
      const { page } = tab();
      const answer = page.waitForResponse((one) => one.request().method() === 'PATCH');
      await page.keyboard.press('Control+s');
      return (await answer).status();
    };
    const summaryOf = async (id: number): Promise<unknown> => (await items.row('talk', id)).values.summary;

    it('is chosen by keyboard, has the label of the item as its text, and is removed', async () => {
      const { page, go } = tab();
      const code = `Grace-${(count += 1)}`;
      const grace = await items.created('speaker', { code });
      const id = await talk({ summary: doc(paragraph(text('By '))) });
      await go(`/content/talk/${id}`);
      await edit('Summary');
      await page.keyboard.press('Control+End');
      // The editor learns of the caret by an event of the browser, and only while it has the focus.
      await eventually(() => page.evaluate('document.activeElement.editor.state.selection.from > 1'));
      await button().press('Enter');
      expect(await dialog().getByLabel('Type').inputValue()).toBe('speaker');
      const choice = dialog().getByRole('combobox', { name: 'Speaker' });
      await choice.fill(code);
      // The choices of an empty search go first: Enter chooses where only one is left.
      await dialog().getByRole('option', { name: /^S-/ }).first().waitFor({ state: 'detached' });
      await dialog().locator('.mantine-Loader-root').waitFor({ state: 'detached' });
      // A later response for the same text may draw the options again.
      await eventually(async () => {
        await dialog().getByRole('option', { name: code }).waitFor();
        return (await accessibilityFindings(page)).length === 0;
      });
      await choice.press('Enter');
      await dialog().waitFor({ state: 'detached' });
      await eventually(() => page.evaluate('document.activeElement.isContentEditable'));
      await page.keyboard.type('.');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await button().and(page.locator('[aria-pressed=true]')).waitFor();
      expect(await save()).toBe(200);
      expect(await summaryOf(id)).toEqual(
        doc(paragraph(text('By '), itemLink('speaker', String(grace), code), text('.'))),
      );
      // The caret is still there.
      await button().press('Enter');
      const shown = dialog().getByRole('combobox', { name: 'Speaker' });
      await eventually(async () => (await shown.inputValue()) === code);
      await dialog().getByRole('button', { name: 'Remove link' }).press('Enter');
      await dialog().waitFor({ state: 'detached' });
      expect(await save()).toBe(200);
      expect(await summaryOf(id)).toEqual(doc(paragraph(text(`By ${code}.`))));
    });

    it('marks what is selected, and the item says by what it is used', async () => {
      const { page, go } = tab();
      const ada = await speaker();
      const id = await talk({ summary: doc(paragraph(text('here'))) });
      await go(`/content/talk/${id}`);
      await edit('Summary');
      await page.keyboard.press('Control+a');
      await button().click();
      await dialog().getByRole('combobox', { name: 'Speaker' }).click();
      await dialog()
        .getByRole('option', { name: `S-${count - 1}` })
        .click();
      await dialog().waitFor({ state: 'detached' });
      await box('Summary').locator('a', { hasText: 'here' }).waitFor();
      expect(await save()).toBe(200);
      expect(await summaryOf(id)).toEqual(doc(paragraph(itemLink('speaker', String(ada)))));
      await go(`/content/speaker/${ada}`);
      await page.getByRole('link', { name: `T-${count}` }).waitFor();
    });
  });
}
