import { eventually } from '../../../support/eventually';
import type { Locator } from 'playwright-core';
import { plainPng } from '../../../support/plain-png';
import type { TestHost } from '../../../support/platform';
import { create, readText } from '../support/content';
import { accessibilityFindings, untilDrawn, type AdminTab } from '../support/open-pages';

interface StoredDescription {
  readonly data: { readonly values: { readonly focalPoint: { readonly y: number } } };
}

export function describeImages(host: TestHost, tab: () => AdminTab): void {
  const storedPath = /^\/media\/[0-9a-f]{64}\.png$/;

  const [first, second] = [plainPng(600, 400, 'black'), plainPng(600, 400, 'white')];

  /** The control of the field: an input for an address, or the button that replaces the image in sight. */
  const control = (): Locator => tab().page.locator('#field-image');

  /** The path of the image in sight. */
  async function shownPath(): Promise<string> {
    const source = await tab().page.getByRole('img', { name: 'Preview of Image' }).getAttribute('src');
    return (source ?? '').replace(/\?.*$/, '');
  }

  /** Lets go of a file above the field, or pastes one into it. */
  async function give(how: 'drop' | 'paste', name: string, bytes: Buffer | string, type = 'image/png'): Promise<void> {
    const [event, carrier] = how === 'drop' ? ['DragEvent', 'dataTransfer'] : ['ClipboardEvent', 'clipboardData'];
    const content = JSON.stringify(Buffer.from(bytes).toString('base64'));
    await tab().page.evaluate(`{
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(atob(${content}), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], ${JSON.stringify(name)}, { type: ${JSON.stringify(type)} }));
    const given = new ${event}('${how}', { ${carrier}: transfer, bubbles: true, cancelable: true });
    document.getElementById('field-image').dispatchEvent(given);
  }`);
  }

  /** Waits until the file has been stored and its picture is drawn; gives the value of the field. */
  async function uploaded(name: string): Promise<string> {
    await tab().page.getByText(`Uploaded ${name}, 600 × 400 pixels.`).waitFor();
    await untilDrawn(tab().page, 'Preview of Image');
    return shownPath();
  }

  describe('the images of items', () => {
    afterEach(() => {
      expect(tab().errors).toEqual([]);
      expect(tab().outside).toEqual([]);
    });

    it('are chosen, dropped or pasted, seen at once, and stored with the item', async () => {
      const { page, go } = tab();
      await go('/content/article/new');
      await page.getByLabel('Title').fill('Ten tools');
      await page.locator('input[type=file]').setInputFiles({ name: 'one.png', mimeType: 'image/png', buffer: first });
      const chosen = await uploaded('one.png');
      expect(chosen).toMatch(storedPath);
      expect(await page.getByLabel('Image', { exact: true }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Replace Image' }).getAttribute('id')).toBe('field-image');

      await give('drop', 'two.png', second);
      const dropped = await uploaded('two.png');
      expect(dropped).toMatch(storedPath);
      expect(dropped).not.toBe(chosen);

      await give('paste', 'three.png', first);
      expect(await uploaded('three.png')).toBe(chosen);

      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Ten tools' }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      expect(await readText(host.address, 'article', id)).toContain(`"image":"${chosen}"`);
    });

    it('are shown in the list as small pictures', async () => {
      const { page, open, requests } = tab();
      // Beside the label it is decorative; in a column of its own, it has a name.
      await open('/content/article?columns=title,image');
      await untilDrawn(page, 'Image of Ten tools');

      expect(await page.getByRole('img', { name: 'Image of Ten tools' }).getAttribute('src')).toMatch(
        /\.png\?width=64$/,
      );
      expect(requests.length).toBeLessThanOrEqual(4);
    });

    it('that are elsewhere are links, and nothing is loaded from there', async () => {
      const { page, go } = tab();
      const id = await create(host.address, 'article', {
        title: 'From elsewhere',
        slug: 'e',
        image: 'https://images.example/a.png',
      });
      await go('/content/article?columns=title,image');
      const link = page.getByRole('link', { name: /^Image of From elsewhere: open at images\.example/ });

      expect(await link.getAttribute('href')).toBe('https://images.example/a.png');
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
      await go(`/content/article/${id}`);
      await page.getByRole('link', { name: /^Preview of Image: open at images\.example/ }).waitFor();
      expect(await page.locator('main img').count()).toBe(0);
    });

    it('that are refused leave the value as it was, say why on the field, and run nothing', async () => {
      const { page, go } = tab();
      await go('/content/article/1');
      const before = await shownPath();
      const name = '<img src=x onerror="window.ran=1">.svg';
      await give('drop', name, '<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran=2"/>', 'image/svg+xml');

      await page.getByText(/\.svg: An image must be PNG.*This is an SVG, which can carry scripts/).waitFor();
      const reason = page.locator(`#${await control().getAttribute('aria-describedby')}`);
      expect(await reason.innerText()).toContain('This is an SVG, which can carry scripts');
      expect(await shownPath()).toBe(before);
      expect(await page.evaluate('window.ran')).toBeUndefined();
      tab().forgetErrors();
    });

    it('that are too large are refused with the maximum', async () => {
      await give('drop', 'large.png', Buffer.alloc(1.5 * 1024 * 1024));

      await tab().page.getByText('large.png: The file has 1.5 MiB; the maximum is 1 MiB. Make it smaller.').waitFor();
      tab().forgetErrors();
    });

    it('are sent again on request when the platform could not be reached', async () => {
      const { page, go } = tab();
      await go('/content/article/1');
      await page.route('**/media/images', (route) => route.abort(), { times: 1 });
      await give('drop', 'two.png', second);
      await page.getByText('two.png: Connection lost.').waitFor();
      tab().forgetErrors();

      await page.getByRole('button', { name: 'Retry' }).click();
      expect(await uploaded('two.png')).toMatch(storedPath);
    });

    it('say what to do where no plugin takes them', async () => {
      const { page, go } = tab();
      await go('/content/article/1');
      const nothing = {
        status: 404,
        contentType: 'application/json',
        body: '{"error":{"code":"NOT_FOUND","message":"-"}}',
      };
      await page.route('**/media/images', (route) => route.fulfill(nothing), { times: 1 });
      await give('drop', 'two.png', second);

      await page.getByText('two.png: Images cannot be uploaded, because the plugin media is not in use.').waitFor();
      tab().forgetErrors();
    });

    it('hold back saving on their way, can be stopped there, and be removed, by keyboard alone', async () => {
      const { page, go } = tab();
      await go('/content/article/1');
      const before = await shownPath();
      await page.route('**/media/images', () => undefined, { times: 1 });
      await give('drop', 'two.png', second);
      await page.getByRole('progressbar', { name: 'Upload of two.png' }).waitFor({ state: 'attached' });
      await page.getByLabel('Title').fill('Eleven tools');
      await page.keyboard.press('Control+s');
      await page.getByText('You can save when the image is uploaded.').waitFor();
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
      expect(await readText(host.address, 'article', 1)).toContain('Ten tools');

      await page.getByRole('button', { name: 'Discard changes' }).click();
      await page.getByRole('link', { name: 'Home', exact: true }).click();
      await page
        .getByRole('dialog', { name: 'Leave without saving?' })
        .getByRole('button', { name: 'Stay here' })
        .click();
      await page.getByRole('button', { name: 'Stop' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('progressbar').waitFor({ state: 'detached' });
      expect(await shownPath()).toBe(before);

      await control().focus();
      // Past the button that describes it.
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await control().inputValue()).toBe('');
      expect(await page.locator('main img').count()).toBe(0);
      await page.locator('#field-image:focus').waitFor();
      await page.getByRole('button', { name: 'Discard changes' }).click();
    });

    it.each(['/content/article/new', '/content/article/import'])(
      'do not open in place of the page %s when they are dropped beside their place',
      async (path) => {
        const { page, go } = tab();
        await go(path);
        const isKept = await page.evaluate(`(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['image'], 'one.png'));
        const drop = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
        document.querySelector('h1').dispatchEvent(drop);
        return drop.defaultPrevented;
      })()`);
        expect(isKept).toBe(true);
      },
    );

    it('have a control without findings of WCAG 2.2 AA', async () => {
      const { page, go } = tab();
      await go('/content/article/1');
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 850 });
        expect(await accessibilityFindings(page, 'main')).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  });

  describe('the files of items', () => {
    afterEach(() => expect(tab().errors).toEqual([]));
    const pdf = (length: number) => ({
      name: 'Übersicht 100%.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.concat([Buffer.from('%PDF-1.7 '), Buffer.alloc(length)]),
    });
    const shot = async (name: string): Promise<void> => {
      const folder = process.env['GANTRY_TEST_SCREENSHOTS'];
      if (folder !== undefined) await tab().page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
    };

    it('are chosen or dropped, shown by name and size, and removed', async () => {
      const { page, go } = tab();
      await go('/content/paper/new');
      await page.getByLabel('Name').fill('Lease');
      const attachment = page.locator('.image-control', { hasText: 'Attachment' });
      await attachment.locator('input[type=file]').setInputFiles(pdf(2000));
      await page.getByText('Uploaded Übersicht 100%.pdf, 2 kB.').waitFor();
      await page.evaluate(`{
      const transfer = new DataTransfer();
      transfer.items.add(new File(['%PDF-1.4'], 'evil\u202Efdp.exe.pdf'));
      const given = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
      document.getElementById('field-contract').dispatchEvent(given);
    }`);
      await page.getByText('Uploaded evilfdp.exe.pdf, 8 B.').waitFor();
      await page.getByRole('link', { name: 'evilfdp.exe.pdf' }).waitFor();
      await shot('file-form');
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      await page.keyboard.press('Control+s');
      await page.waitForURL(/\/content\/paper\/\d+/);
      await go('/content/paper');
      const link = page.getByRole('link', { name: 'Übersicht 100%.pdf' });
      await link.waitFor();
      await shot('file-list');
      const served = await page.request.get(new URL((await link.getAttribute('href')) ?? '', host.address).href);
      expect([served.status(), served.headers()['content-disposition']]).toEqual([
        200,
        expect.stringContaining('attachment'),
      ]);
      await go('/content/paper/1');
      await page.getByRole('button', { name: 'Remove Contract' }).click();
      await page.keyboard.press('Control+s');
      await page.getByText('Saved paper').waitFor();
      expect(await readText(host.address, 'paper', 1)).toContain('"contract":null');
    });

    it('that the field does not take are not sent, and those that the platform does not take are refused', async () => {
      const { page, go, forgetErrors } = tab();
      await go('/content/paper/new');
      const contract = page.locator('.image-control', { hasText: 'Contract' });
      await contract.locator('input[type=file]').setInputFiles(pdf(2000));
      await page.getByText('The file has 2 kB; the maximum is 1 kB.').waitFor();
      const attachment = page.locator('.image-control', { hasText: 'Attachment' });
      await attachment
        .locator('input[type=file]')
        .setInputFiles({ name: 'a.exe', mimeType: 'application/pdf', buffer: Buffer.from('MZ') });
      await page.getByText(/which is not accepted. Accepted are .pdf/).waitFor();
      await shot('file-refused');
      forgetErrors();
    });
  });

  describe('the description of an image', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    const dialog = () => tab().page.getByRole('dialog', { name: 'Describe the image' });
    let article: number;
    let path: string;
    beforeAll(async () => {
      const answer = await fetch(`${host.address}/media/images`, {
        method: 'POST',
        headers: { 'content-type': 'image/png' },
        body: plainPng(300, 200, 'white'),
      });
      path = ((await answer.json()) as { data: { url: string } }).data.url;
      article = await create(host.address, 'article', { title: 'Described', slug: 'described', image: path });
    });

    it('is written in the form of an item by keyboard and pointer, and is what the image is called', async () => {
      const { page, go } = tab();
      await go(`/content/article/${article}`);
      await page.getByRole('button', { name: 'Describe the image of Image' }).press('Enter');
      await dialog().getByRole('textbox', { name: 'Alternative text' }).fill('A white wall');
      const left = dialog().getByRole('slider', { name: 'From the left' });
      await left.press('Home');
      await left.press('ArrowRight');
      expect(await left.inputValue()).toBe('1');
      expect(await accessibilityFindings(page, '[role=dialog]')).toEqual([]);
      const picture = dialog().locator('.focal-point-image img');
      await eventually(() => page.evaluate(`document.querySelector('.focal-point-image img').naturalWidth > 1`));
      const { width, height } = (await picture.boundingBox()) ?? { width: 0, height: 0 };
      await picture.click({ position: { x: width * 0.75, y: height * 0.2 } });
      expect(await left.inputValue()).toBe('75');
      expect(await dialog().getByRole('slider', { name: 'From the top' }).inputValue()).toBe('20');
      await dialog().getByRole('button', { name: 'Save description' }).click();
      await dialog().waitFor({ state: 'detached' });
      await page.getByRole('img', { name: 'A white wall' }).waitFor();

      await go('/content/article?columns=title,image');
      const cell = page.getByRole('img', { name: 'A white wall' });
      await cell.waitFor();
      const position = `getComputedStyle(document.querySelector('img[alt="A white wall"]')).objectPosition`;
      expect(await page.evaluate(position)).toMatch(/^7[45].*% (?:19|20)/);
    });

    it('is an item over REST and in the form, with its picture', async () => {
      const { page, go } = tab();
      const list = await fetch(`${host.address}/api/cms/items/mediaimage/list`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([{ field: 'address', operator: 'EQUALS', value: path }]),
      });
      const { data } = (await list.json()) as { data: readonly { id: number; values: Record<string, unknown> }[] };
      expect(data).toMatchObject([{ values: { address: path, alternativeText: 'A white wall' } }]);
      await go(`/content/mediaimage/${data[0]?.id}`);
      const top = page.getByRole('slider', { name: 'From the top' });
      await top.press('End');
      expect(await page.locator('.focal-point-image img').getAttribute('src')).toBe(`${path}?width=640`);
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      await page.keyboard.press('Control+s');
      await page
        .getByText(/^Saved/)
        .first()
        .waitFor();
      const stored = JSON.parse(await readText(host.address, 'mediaimage', data[0]?.id ?? 0)) as StoredDescription;
      expect(stored.data.values.focalPoint.y).toBe(1);
    });

    it.each([
      ['{"x":0.5}', 'focalPoint must have x and y'],
      ['{"x":0.5,"y":1.0000000000000000001}', 'focalPoint must have x and y'],
      ['{"x":NaN,"y":0}', 'not valid JSON'],
      ['{"x":1e400,"y":0}', 'focalPoint must have x and y'],
      ['[0.5,0.5]', 'focalPoint must be an object with x and y'],
    ])('is refused with the focal point %s', async (point, message) => {
      const answer = await fetch(`${host.address}/api/cms/items/mediaimage`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"address":"/media/${'0'.repeat(64)}.png","focalPoint":${point}}`,
      });
      const { error } = (await answer.json()) as { error: { message: string } };
      expect([answer.status, error.message]).toEqual([400, expect.stringContaining(message)]);
    });
  });
}
