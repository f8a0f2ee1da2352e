import type { ItemMetadata } from '@gantry/contracts';
import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { change, create, readText } from '../support/content';
import { doc, documentEditor, paragraph, text } from '../support/documents';
import { accessibilityFindings, pathOf, type AdminTab } from '../support/open-pages';
import { link, refusedVenues } from '../support/refused-venues';
import { openVersion } from '../support/versions';

export function describeFieldKinds(host: TestHost, tab: () => AdminTab): void {
  describe('a field kind of a plugin with pages', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('has its control in forms and its cell in lists', async () => {
      const { page, go } = tab();
      await go('/content/place/new');
      await page.getByLabel('Name').fill('Zürich');
      await page.getByRole('group', { name: 'Location' }).getByRole('textbox', { name: 'Latitude' }).fill('47.3769');
      await page.getByRole('group', { name: 'Location' }).getByRole('textbox', { name: 'Longitude' }).fill('8.5417');
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      await page.keyboard.press('Control+s');
      await page.waitForURL(/\/content\/place\/\d+/);

      await go(pathOf(page));
      expect(
        await page.getByRole('group', { name: 'Location' }).getByRole('textbox', { name: 'Longitude' }).inputValue(),
      ).toBe('8.5417');
      await go('/content/place');
      await page.getByRole('cell', { name: '47.3769, 8.5417' }).waitFor();
    });

    it('is refused with the name of the field', async () => {
      const { page, go, forgetErrors } = tab();
      await go('/content/place/new');
      await page.getByLabel('Name').fill('Nowhere');
      await page.getByRole('group', { name: 'Location' }).getByRole('textbox', { name: 'Latitude' }).fill('91');
      await page.getByRole('group', { name: 'Location' }).getByRole('textbox', { name: 'Longitude' }).fill('0');
      await page.keyboard.press('Control+s');
      await page.getByText('must have a latitude from -90 to 90').first().waitFor();
      forgetErrors();
    });

    it('has its filter with its operator', async () => {
      const { page, go } = tab();
      await go('/content/place');
      const add = async (box: string): Promise<void> => {
        await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Location' });
        await page.getByLabel('Operator').selectOption({ label: 'within' });
        await page.getByPlaceholder('south, west, north, east').fill(box);
        await page.getByRole('button', { name: 'Add filter' }).click();
        await page.waitForLoadState('networkidle');
      };
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await add('45.8,5.9,47.8,10.5');
      await page.getByRole('cell', { name: '47.3769, 8.5417' }).waitFor();
      await add('0,0,1,1');
      await page
        .getByText('No results')
        .or(page.getByText(/No places/))
        .first()
        .waitFor();
    });
  });

  const save = async (): Promise<number> => {
    const answer = tab().page.waitForResponse(
      (response) => ['POST', 'PATCH'].includes(response.request().method()) && response.url().includes('/items/venue'),
    );
    await tab().page.keyboard.press('Control+s');
    return (await answer).status();
  };

  const storedValue = async (id: number | string, name: string): Promise<unknown> =>
    (JSON.parse(await readText(host.address, 'venue', id)) as { data: { values: Record<string, unknown> } }).data
      .values[name];

  describe('a list of small structures', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    const part = (entry: number, name: string, role: 'textbox' | 'combobox' | 'checkbox' = 'textbox') =>
      tab()
        .page.getByRole('group', { name: `Entry ${entry}`, exact: true })
        .getByRole(role, { name });
    const button = (name: string) => tab().page.getByRole('button', { name, exact: true });

    it('is filled, put into another order and shortened by keyboard alone', async () => {
      const { page, go } = tab();
      await go('/content/venue/new');
      await page.getByLabel('Name').fill('Hall');
      for (const label of ['a', 'b', 'c']) {
        await button('Add entry to Links').press('Enter');
        // The focus is in the new entry.
        await page.keyboard.type(label);
        await page.keyboard.press('Tab');
        await page.keyboard.type(`https://example.org/${label}`);
      }
      await part(2, 'Minutes to read').fill('1.50');
      await part(2, 'Since').fill('2026-02-28');
      await part(2, 'Official', 'checkbox').press('Space');
      await part(2, 'Language', 'combobox').click();
      await page.getByRole('option', { name: 'German' }).click();
      expect(await part(2, 'Minutes to read').inputValue()).toBe('1.50');
      await button('Move up entry 3').press('Enter');
      await page.getByText('entry 3 is now 2 of 3').waitFor();
      await button('Remove entry 1').press('Enter');
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      expect(await save()).toBe(201);
      await page.waitForURL(/\/content\/venue\/\d+/);
      const id = /(\d+)$/.exec(new URL(page.url()).pathname)?.[1] ?? '';
      expect(await storedValue(id, 'links')).toEqual([
        { ...link('c'), official: false },
        { ...link('b'), since: '2026-02-28', minutes: 1.5, language: 'DE', official: true },
      ]);

      await go(pathOf(page));
      expect(await part(2, 'Since').inputValue()).toBe('2026-02-28');
      expect(await part(2, 'Language', 'combobox').inputValue()).toBe('German');
      await button('Clear Language').press('Enter');
      expect(await part(2, 'Language', 'combobox').inputValue()).toBe('');
      await button('Discard changes').press('Enter');
      await go('/content/venue');
      await page.getByRole('row', { name: /Hall/ }).getByRole('cell', { name: '2 entries' }).waitFor();
    });

    it('shows problems at the part that they are about, also after it was moved', async () => {
      const { page, go, forgetErrors } = tab();
      const id = await create(host.address, 'venue', { name: 'Stage', links: [link('a'), link('b')] });
      await go(`/content/venue/${id}`);
      await part(2, 'Address').fill('javascript:alert(1)');
      await part(2, 'Minutes to read').fill('61');
      expect(await save()).toBe(400);
      await page.getByText('Address must be an address that begins with http:// or https://').waitFor();
      await page.getByText('Minutes to read must be at most 60.').waitFor();
      forgetErrors();
      await eventually(async () => (await page.evaluate('document.activeElement.value')) === 'javascript:alert(1)');
      expect(await part(2, 'Address').getAttribute('aria-invalid')).toBe('true');
      await button('Move down entry 1').click();
      expect([
        await part(1, 'Address').getAttribute('aria-invalid'),
        await part(2, 'Address').getAttribute('aria-invalid'),
      ]).toEqual(['true', null]);
      await part(1, 'Address').fill('https://example.org/b');
      await part(1, 'Minutes to read').fill('');
      expect(await save()).toBe(200);
      expect(await storedValue(id, 'links')).toEqual([link('b'), link('a')]);
    });

    it('is shown entry by entry in the history', async () => {
      const { page, go } = tab();
      const id = await create(host.address, 'venue', { name: 'Yard', links: [link('a'), link('b')] });
      await change(host.address, 'venue', id, { links: [{ ...link('c'), official: true }, link('b')] });
      await go(`/content/venue/${id}/history`);
      await openVersion(page, 0);
      await page.getByText('Label: c · Address: https://example.org/c · Official: Yes').first().waitFor();
      await page.getByText('Label: a · Address: https://example.org/a').first().waitFor();
      await page.getByText('1 unchanged').first().waitFor();
    });

    it('has room for all of it on a narrow screen, and no more entries than declared', async () => {
      const { page, go } = tab();
      const links = ['a', 'b', 'c', 'd'].map(link);
      const id = await create(host.address, 'venue', { name: 'Park', links });
      await page.setViewportSize({ width: 390, height: 850 });
      await go(`/content/venue/${id}`);
      await part(4, 'Label').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect((await part(1, 'Address').boundingBox())?.width).toBeGreaterThan(200);
      expect(await button('Add entry to Links').isDisabled()).toBe(true);
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  });

  describe('a structured document', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    const { box, toolbar, edit, paste } = documentEditor(() => tab().page);
    it('is written by keyboard alone', async () => {
      const { page, go, open } = tab();
      await open('/content/venue/new');
      await page.getByLabel('Name').fill('Theatre');
      await edit();
      await page.keyboard.type('## Opening');
      await page.keyboard.press('Enter');
      await page.keyboard.type('It was ');
      await page.keyboard.press('Control+b');
      await page.keyboard.type('new');
      await page.keyboard.press('Control+b');
      await page.keyboard.press('Enter');
      await page.keyboard.type('- one');
      await page.keyboard.press('Enter');
      await page.keyboard.type('two');
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      // One stop of the Tab key before the text, in which arrow keys lead to the buttons.
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('ArrowRight');
      await eventually(async () => (await page.evaluate('document.activeElement.ariaLabel')) === 'Italic');
      // Over the text and the toolbar of the next one.
      for (let stops = 0; stops < 3; stops += 1) await page.keyboard.press('Tab');
      await eventually(async () => (await page.evaluate('document.activeElement.id')) === 'field-note');
      expect(await save()).toBe(201);
      await page.waitForURL(/\/content\/venue\/\d+/);
      const id = /(\d+)$/.exec(new URL(page.url()).pathname)?.[1] ?? '';
      expect(await storedValue(id, 'story')).toEqual(
        doc(
          { type: 'heading', attrs: { level: 2 }, content: [text('Opening')] },
          paragraph(text('It was '), text('new', 'bold')),
          {
            type: 'bulletList',
            content: ['one', 'two'].map((entry) => ({ type: 'listItem', content: [paragraph(text(entry))] })),
          },
        ),
      );
      await go('/content/venue');
      await page.getByRole('cell', { name: 'Opening It was new one two' }).waitFor();
    });

    it('keeps of pasted HTML what the field allows, and no script', async () => {
      const { go } = tab();
      const id = await create(host.address, 'venue', { name: 'Pasted' });
      await go(`/content/venue/${id}`);
      const html =
        '<h1 onclick="x()">T</h1><script>alert(1)</script><p style="color:red">a <a href="javascript:alert(1)">b</a>' +
        '<a href=" JaVaScRiPt:alert(1)">c</a> <a href="https://example.org/" target="_blank">d</a></p><img src=x onerror=alert(1)>' +
        '<iframe src="https://example.org/"></iframe><table><tr><td>e</td></tr></table>';
      await edit();
      await paste(html);
      await edit('Note');
      await paste(html);
      await toolbar('Note').getByRole('button', { name: 'Bold' }).waitFor();
      expect(await toolbar('Note').getByRole('button', { name: 'Italic' }).count()).toBe(0);
      expect(await save()).toBe(200);
      const linked = { ...text('d'), marks: [{ type: 'link', attrs: { href: 'https://example.org/' } }] };
      expect(await storedValue(id, 'story')).toEqual(
        doc(
          { type: 'heading', attrs: { level: 1 }, content: [text('T')] },
          paragraph(text('a bc '), linked),
          paragraph(text('e')),
        ),
      );
      expect(await storedValue(id, 'note')).toEqual(
        doc(paragraph(text('T')), paragraph(text('a bc d')), paragraph(text('e'))),
      );
    });

    it('has links to addresses of the web and of mail only', async () => {
      const { page, go } = tab();
      const id = await create(host.address, 'venue', { name: 'Linked', story: doc(paragraph(text('here'))) });
      await go(`/content/venue/${id}`);
      await edit();
      await page.keyboard.press('Control+a');
      await toolbar().getByRole('button', { name: 'Link' }).click();
      const address = page.getByRole('textbox', { name: 'Address' });
      const set = page.getByRole('button', { name: 'Set link' });
      await address.fill('javascript:alert(1)');
      await set.click();
      await page.getByText('Enter an address with http, https or mailto.').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await address.fill('example.org/a');
      await address.press('Enter');
      await set.waitFor({ state: 'detached' });
      expect(await save()).toBe(200);
      expect(await storedValue(id, 'story')).toEqual(
        doc(paragraph({ ...text('here'), marks: [{ type: 'link', attrs: { href: 'https://example.org/a' } }] })),
      );
    });

    it('is refused with its place, and stays in the editor', async () => {
      const { page, go, forgetErrors } = tab();
      const id = await create(host.address, 'venue', { name: 'Deep' });
      await go(`/content/venue/${id}`);
      await edit();
      await page.keyboard.type('- 1');
      for (let level = 2; level <= 11; level += 1) {
        await page.keyboard.press('Enter');
        await page.keyboard.type(String(level));
        await page.keyboard.press('Control+]');
      }
      expect(await save()).toBe(400);
      await page
        .getByText(/^Story\.content\[0\].* must not be nested more than 24 levels deep\.$/)
        .first()
        .waitFor();
      forgetErrors();
      expect(await box().getAttribute('aria-invalid')).toBe('true');
      await box().press('Control+[');
      expect(await save()).toBe(200);
      await eventually(async () => (await box().getAttribute('aria-invalid')) === 'false');
      // The editor goes on where it was.
      await page.keyboard.type('!');
      expect(await save()).toBe(200);
      expect(await readText(host.address, 'venue', id)).toContain('"11!"');
    });

    it('is compared word by word in the history, and says where only the format has changed', async () => {
      const { page, go } = tab();
      const id = await create(host.address, 'venue', { name: 'Old', story: doc(paragraph(text('a grey house'))) });
      await change(host.address, 'venue', id, { story: doc(paragraph(text('a green house'))) });
      await change(host.address, 'venue', id, { story: doc(paragraph(text('a green house', 'bold'))) });
      await go(`/content/venue/${id}/history`);
      for (const version of [0, 1]) await openVersion(page, version);
      await page.locator('del', { hasText: /^grey$/ }).waitFor();
      await page.locator('ins', { hasText: /^green$/ }).waitFor();
      await page.getByText('The text is the same; its format has changed.').waitFor();
    });

    it('has room on a narrow screen', async () => {
      const { page, go } = tab();
      const id = await create(host.address, 'venue', { name: 'Small', story: doc(paragraph(text('x'.repeat(500)))) });
      await page.setViewportSize({ width: 390, height: 850 });
      await go(`/content/venue/${id}`);
      await edit();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  });

  describe('JSON', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('keeps what is typed and shows the line of an error, and the place that does not fit the schema', async () => {
      const { page, go, forgetErrors } = tab();
      const id = await create(host.address, 'venue', { name: 'Arena', seats: { rows: [10] } });
      await go(`/content/venue/${id}`);
      const seats = page.getByRole('textbox', { name: 'Seats' });
      expect(await seats.inputValue()).toBe('{\n  "rows": [\n    10\n  ]\n}');
      await seats.fill('{\n  "rows": [10,, 12]\n}');
      await seats.press('Tab');
      await page.getByText(/^Line 2, column 15: /).waitFor();
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      expect(await save()).toBe(400);
      await page.getByText(/^Line 2, column 15: /).waitFor();
      expect(await seats.inputValue()).toBe('{\n  "rows": [10,, 12]\n}');
      await seats.fill('{"rows":[10,0]}');
      await page.keyboard.press('Control+s');
      await page.getByText('Seats.rows[1] must be >= 1.').first().waitFor();
      forgetErrors();
      await seats.fill('{"rows":[1.0,12345678901234567890]}');
      await page.keyboard.press('Control+s');
      await page
        .getByText(/^Saved/)
        .first()
        .waitFor();
      expect(await readText(host.address, 'venue', id)).toContain('{"rows": [1.0, 12345678901234567890]}');
    });
  });

  describe('small structures, documents and JSON over REST', () => {
    it('are described by the metadata, and are part of a valid OpenAPI document', async () => {
      const answer = await fetch(`${host.address}/api/cms/items/venue/metadata`);
      const { data } = (await answer.json()) as { data: ItemMetadata };
      const links = data.fields.find(({ name }) => name === 'links');
      expect(data.fields.find(({ name }) => name === 'note')).toMatchObject({
        valueType: 'object',
        document: { nodes: ['paragraph', 'bulletList'], marks: ['bold'], headingLevels: [1, 2, 3, 4] },
      });
      expect(links).toMatchObject({ type: 'field-kinds.Repeatable', valueType: 'array', minItems: 0, maxItems: 4 });
      expect(links?.fields?.map(({ name, type, required }) => [name, type, required])).toEqual([
        ['label', 'STRING', true],
        ['url', 'field-kinds.Url', true],
        ['since', 'DATE', false],
        ['minutes', 'NUMBER', false],
        ['language', 'ENUM', false],
        ['official', 'BOOLEAN', false],
      ]);
      const document = (await (await fetch(`${host.address}/api/openapi.json`)).json()) as OpenApiDocument;
      const { Validator } = await import('@seriousme/openapi-schema-validator');
      expect(await new Validator().validate({ ...structuredClone(document) })).toEqual({ valid: true });
      expect(document.components.schemas['VenueCreate']?.properties['links']).toMatchObject({
        items: { required: ['label', 'url'], properties: { minutes: { type: 'number', minimum: 1, maximum: 60 } } },
      });
    });

    it.each(refusedVenues)('refuses %s with the status 400', async (_what, field, value) => {
      const answer = await fetch(`${host.address}/api/cms/items/venue`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"name":"Bad","${field}":${value}}`,
      });
      const { error } = (await answer.json()) as { error: { message: string; details?: unknown } };
      expect([answer.status, error.message]).toEqual([400, expect.stringMatching(`${field}|JSON|body`)]);
    });

    it('are found by a part of their text, and by having entries', async () => {
      await create(host.address, 'venue', { name: 'Searched', links: [{ ...link('a'), label: 'Opening 100%_x' }] });
      await create(host.address, 'venue', { name: 'Without', links: [] });
      const story = doc(paragraph(text('Part'), text('ly bold 100%_x', 'bold')), paragraph(text('end')));
      await create(host.address, 'venue', { name: 'Narrated', story });
      const find = async (operator: string, value: string, field = 'links'): Promise<readonly string[]> => {
        const body = JSON.stringify([{ field, operator, value }]);
        const answer = await fetch(`${host.address}/api/cms/items/venue/list`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        const { data } = (await answer.json()) as { data: readonly { values: { name: string } }[] };
        return data.map(({ values }) => values.name);
      };
      expect(await find('CONTAINS', 'opening 100%_')).toEqual(['Searched']);
      // The name of a member is no part of the text.
      expect(await find('CONTAINS', 'label')).toEqual([]);
      expect(await find('CONTAINS', 'PARTLY bold 100%_', 'story')).toEqual(['Narrated']);
      expect(await find('CONTAINS', 'paragraph', 'story')).toEqual([]);
      expect(await find('EMPTY', 'true', 'story')).not.toContain('Narrated');
      expect(await find('EMPTY', 'true')).toContain('Without');
      expect(await find('EMPTY', 'false')).toContain('Searched');
    });
  });
}

interface OpenApiDocument extends Readonly<Record<string, unknown>> {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, unknown>> }>>;
  };
}
