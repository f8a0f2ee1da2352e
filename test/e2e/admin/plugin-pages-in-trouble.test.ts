import { startTestHost, useTestHost } from '../../support/platform';
import { send } from '../../support/rest-client';
import { adminPlugins, create } from './support/content';
import { useAdminTab } from './support/open-pages';
import { openPlugin } from './support/plugins';
import { createUiPlugins, pageOf } from './support/ui-plugins';

const plugins = createUiPlugins();
afterAll(() => plugins.remove());

const onePage = { pages: [{ path: '', title: 'Its page' }] };
const sound = `export default defineUi(() => ({ pages: { '': ${pageOf('Its page', 'All is well')} } }));`;

beforeAll(async () => {
  plugins.write('sound', { displayName: 'Sound', ui: onePage, module: sound });
  plugins.write('throws', {
    displayName: 'Throws',
    ui: onePage,
    module: `export default defineUi(() => ({ pages: { '': () => { throw new Error('No paper in the drawer'); } } }));`,
  });
  plugins.write('breaks-at-set-up', {
    displayName: 'Breaks at set-up',
    ui: onePage,
    module: `export default defineUi(() => { throw new Error('No drawer'); });`,
  });
  plugins.write('never-loads', { displayName: 'Never loads', ui: onePage, module: 'await new Promise(() => {});' });
  plugins.write('imports-unknown', { displayName: 'Imports', ui: onePage, module: `import 'left-pad';${sound}` });
  plugins.write('no-definition', {
    displayName: 'No definition',
    ui: onePage,
    module: 'export default { pages: {} };',
  });
  plugins.write('differs', {
    displayName: 'Differs',
    ui: { pages: [...onePage.pages, { path: 'more', title: 'More' }], cells: ['catalog.code'] },
    module: sound,
  });
  plugins.write('newer', { displayName: 'Newer', ui: { apiVersion: 9, panels: [] }, module: sound });
  plugins.write('not-built', { displayName: 'Not built', ui: { ...onePage, entry: './built/index.js' }, module: '' });
  plugins.write('slots', {
    displayName: 'Slots',
    ui: {
      fields: ['catalog.name'],
      cells: ['catalog.name'],
      itemActions: [{ type: 'catalog', name: 'sell', title: 'Sell it' }],
    },
    module: `const fail = () => { throw new Error('Out of ink'); };
      export default defineUi(() => ({
        fields: { 'catalog.name': fail }, cells: { 'catalog.name': fail },
        itemActions: { catalog: { sell: async () => fail() } },
      }));`,
  });
  plugins.write('asleep', { displayName: 'Asleep', ui: onePage, module: sound });
  plugins.write('fails', {
    displayName: 'Fails',
    ui: onePage,
    module: sound,
    definition: 'start() { throw new Error("no"); }',
  });
  plugins.write('own-react', {
    displayName: 'Own React',
    ui: onePage,
    module: '',
    files: {
      'source.js': `import { useState } from 'react'; import { jsx } from 'react/jsx-runtime';
        import { defineUi, Page } from '@gantry/ui';
        const Counter = () => jsx(Page, { title: 'Count', children: useState(1)[0] });
        export default defineUi(() => ({ pages: { '': Counter } }));`,
    },
  });
  await plugins.build(
    'own-react',
    `export default { build: { outDir: 'pages', lib: { entry: 'source.js', formats: ['es'], fileName: () => 'index.js' },
       rolldownOptions: { external: ['@gantry/ui'] } }, define: { 'process.env.NODE_ENV': '"production"' } };`,
  );
});

const ids = [
  'sound',
  'throws',
  'breaks-at-set-up',
  'never-loads',
  'imports-unknown',
  'no-definition',
  'differs',
  'newer',
  'not-built',
  'slots',
  'asleep',
  'fails',
  'own-react',
];
const host = useTestHost({ plugins: [...adminPlugins, ...ids.map(plugins.pathOf)], disabled: ['asleep'] });
const tab = useAdminTab(() => host.address);

describe('a plugin whose pages are broken fails alone and is named:', () => {
  afterEach(async () => {
    const { page } = tab();
    expect(tab().outside).toEqual([]);
    tab().forgetErrors();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });

  it.each([
    ['one that throws while it is drawn', 'throws', 'Throws failed', 'No paper in the drawer.'],
    ['one that throws when it is set up', 'breaks-at-set-up', 'Breaks at set-up could not', 'No drawer.'],
    ['one that never loads', 'never-loads', 'Never loads could not', 'did not load within'],
    ['one that imports an unknown package', 'imports-unknown', 'Imports could not', 'imports "left-pad"'],
    ['one with its own React', 'own-react', 'Own React failed', 'contain its own React'],
    ['one without defineUi', 'no-definition', 'No definition could not', 'is not what defineUi gives'],
    ['one that brings less than its manifest names', 'differs', 'Differs could not', 'page "more", cell catalog.code'],
    ['one that is not built', 'not-built', 'Not built', 'Build the pages of the package'],
  ])('%s', async (_what, id, named, reason) => {
    const { page, open } = tab();
    await open(`/x/${id}`);

    const alert = page.getByRole('alert');
    await alert.getByText(reason).waitFor();
    const text = `${await page.getByRole('heading', { level: 1 }).textContent()} ${await alert.textContent()}`;
    expect(text).toContain(named);
    expect(text).toContain('Its page');
  });

  it('one that is written for another version of the UI API, with an entry that leads to the reason', async () => {
    const { page, open } = tab();
    await open('/');
    await page.getByRole('link', { name: 'Newer: pages' }).click();

    await page.getByText('written for version 9 of the UI API').waitFor();
    await page.getByRole('link', { name: 'View plugins' }).click();
    const details = await openPlugin(page, 'Newer');
    await details.getByText('UI_API_INCOMPATIBLE').waitFor();
    await details.getByRole('button', { name: 'Close' }).click();
  });

  it('one that could not be started, and one that is disabled; neither is in the menu', async () => {
    const { page, open } = tab();
    await open('/x/fails');
    await page.getByText('The plugin Fails is failed').waitFor();
    await open('/x/asleep');
    await page.getByText('The plugin Asleep is disabled').waitFor();

    expect(await page.getByRole('link', { name: 'Its page' }).count()).toBe(9);
  });
});

describe('what a plugin breaks in lists and forms', () => {
  beforeAll(async () => {
    await create(host.address, 'catalog', { code: 'garden', name: 'Garden tools' });
  });
  beforeEach(() => tab().forgetErrors());

  it('is drawn by the platform in lists, with one notice for all rows, and Retry', async () => {
    const { page, open } = tab();
    await create(host.address, 'catalog', { code: 'house', name: 'House' });
    await open('/content/catalog');

    const alert = page.getByRole('alert').filter({ hasText: 'Slots' });
    await alert.getByText('What Slots adds to this page failed').waitFor();
    await alert.getByText('Out of ink.').waitFor();
    expect(await alert.count()).toBe(1);
    await page.getByRole('cell', { name: 'Garden tools', exact: true }).waitFor();

    await alert.getByRole('button', { name: 'Retry' }).click();
    await alert.getByText('Out of ink.').waitFor();
  });

  it('is reported when it was an action, and the list continues', async () => {
    const { page } = tab();
    await page.getByRole('button', { name: /^More actions for House/ }).click();
    await page.getByRole('menuitem', { name: 'Sell it' }).click();

    await page.getByText('Sell it (Slots) failed').waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(await page.getByText('What Slots adds to this page failed').count()).toBe(0);
    await page.getByRole('link', { name: 'Catalogs', exact: true }).first().click();
    await page.getByText('What Slots adds to this page failed').waitFor();
  });

  it('is the built-in control in forms, which saves', async () => {
    const { page, open } = tab();
    await open('/content/catalog/1');
    await page.getByRole('alert').getByText('The control that Slots brings for Name failed').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Garden and yard');
    await page.keyboard.press('Control+s');

    await page.getByText('version 2').waitFor();
  });
});

describe('the author of a plugin', () => {
  it('fixes its module, and Retry shows it without a new start of the platform', async () => {
    const { page, open } = tab();
    await open('/x/throws');
    await page.getByText('No paper in the drawer.').waitFor();
    plugins.write('throws', { displayName: 'Throws', ui: onePage, module: sound });
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('All is well').waitFor();

    await open('/x/imports-unknown');
    await page.getByText('imports "left-pad"').waitFor();
    plugins.write('imports-unknown', { displayName: 'Imports', ui: onePage, module: sound });
    await page.getByRole('button', { name: 'Retry' }).click();

    await page.getByText('All is well').waitFor();
    tab().forgetErrors();
  });
});

describe('a tab that was opened before its plugin grew', () => {
  it('draws what the plugin brings by now', async () => {
    const { page } = tab();
    const start = (port?: number) =>
      startTestHost({
        plugins: ['plugins/catalog', 'plugins/admin-ui', plugins.pathOf('grows')],
        ...(port === undefined ? {} : { environment: { GANTRY_PORT: String(port) } }),
      });
    plugins.write('grows', { displayName: 'Grows', ui: onePage, module: sound });
    const first = await start();
    await page.goto(`${first.address}/admin/x/grows`);
    await page.getByText('All is well').waitFor();
    await first.stop();
    plugins.write('grows', {
      displayName: 'Grows',
      ui: {
        pages: [...onePage.pages, { path: 'more', title: 'More of it' }],
        fields: ['catalog.code'],
      },
      module: `export default defineUi(() => ({
        pages: { '': ${pageOf('Its page', 'All is well')}, more: ${pageOf('More of it', 'It has grown')} },
        fields: { 'catalog.code': ({ id }) => jsx('input', { id, 'aria-label': 'Its own code' }) },
      }));`,
    });
    const second = await start(first.port);
    try {
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
      await page.getByRole('link', { name: 'More of it' }).click();
      await page.getByText('It has grown').waitFor();

      await page.getByRole('link', { name: 'Catalogs', exact: true }).click();
      await page.getByRole('link', { name: 'New Catalog' }).first().click();
      await page.getByLabel('Its own code').waitFor();
    } finally {
      await second.stop();
      tab().forgetErrors();
    }
  });
});

describe('the files of a plugin’s pages', () => {
  const addressOf = async (id: string): Promise<string> => {
    const { text } = await send(host.address, '/api/platform/plugins');
    const report = JSON.parse(text) as { data: { plugins: { id: string; ui?: { address?: string } }[] } };
    return report.data.plugins.find((plugin) => plugin.id === id)?.ui?.address ?? '';
  };

  it('are served as what they are, for good at the address with their hash', async () => {
    const answer = await send(host.address, await addressOf('sound'));

    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await send(host.address, '/plugins/sound/1.0.0/ui/index.js')).headers['cache-control']).toBe('no-cache');
  });

  it.each([
    ['another version', '/plugins/sound/1.0.1/ui/index.js', 404],
    ['a hash of another time', '/plugins/sound/1.0.0-000000000000/ui/index.js', 404],
    ['a file that is not there', '/plugins/sound/1.0.0/ui/more.js', 404],
    ['the folder itself', '/plugins/sound/1.0.0/ui/', 404],
    ['a file above the folder', '/plugins/sound/1.0.0/ui/%2e%2e/package.json', 404],
    ['a file above it, twice encoded', '/plugins/sound/1.0.0/ui/%252e%252e/package.json', 404],
    ['a file above it, with a slash in a segment', '/plugins/sound/1.0.0/ui/..%2fpackage.json', 404],
    ['a name of every object', '/plugins/sound/1.0.0/ui/__proto__', 404],
    ['a plugin that is disabled', '/plugins/asleep/1.0.0/ui/index.js', 404],
    ['a plugin that is not there', '/plugins/nobody/1.0.0/ui/index.js', 404],
    ['a plugin that failed', '/plugins/fails/1.0.0/ui/index.js', 503],
  ])('are not found at %s', async (_what, path, status) => {
    const answer = await send(host.address, path);

    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('gantry-plugin');
  });

  it('are only read', async () => {
    const answer = await send(host.address, '/plugins/sound/1.0.0/ui/index.js', { method: 'POST' });

    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});
