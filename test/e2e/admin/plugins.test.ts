import type { Locator, Page } from 'playwright-core';
import { startChangingPlatform, type ChangingPlatform } from '../../launcher/changing-platform';
import { eventually } from '../../support/eventually';
import { packPlugin } from '../../support/pack-plugin';
import { accessibilityFindings, useAdminTab } from './support/open-pages';
import { openPlugin, pluginRow } from './support/plugins';
import { createUiPlugins } from './support/ui-plugins';

const desk = 'test/e2e/sign-in/fixtures/desk';
const own = createUiPlugins();
afterAll(() => own.remove());
const writeSketch = (version: string): void =>
  own.write('sketch', { displayName: 'Sketch', version, ui: {}, module: 'export default defineUi(() => ({}));' });

let platform: ChangingPlatform;
beforeAll(async () => {
  writeSketch('1.0.0');
  const plugins = ['plugins/admin-ui', 'plugins/articles', 'test/samples/recipes', desk, own.pathOf('sketch')];
  platform = await startChangingPlatform(plugins, { disabled: ['recipes'] });
});
afterAll(() => platform.close());
const tab = useAdminTab(() => platform.address);

/** Inside the pages, which does not load them again. */
async function toPlugins(page: Page): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Main' });
  // Content has its own navigation, which leads to that of the settings.
  await navigation.getByRole('link', { name: /^(Settings|Plugins)$/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor();
}

describe('the page of plugins', () => {
  it('checks a disabled plugin, enables it, and its type can be used at once', async () => {
    const { page, open, errors } = tab();
    await open('/plugins');
    const row = pluginRow(page, 'Recipes');
    await row.getByText('Disabled', { exact: true }).waitFor();

    const recipes = await openPlugin(page, 'Recipes');
    expect(new URL(page.url()).search).toBe('?plugin=recipes');
    await recipes.getByRole('button', { name: 'Check Recipes' }).click();
    const check = page.getByRole('dialog', { name: 'Check of Recipes' });
    await check.getByText('All checks passed.').waitFor();
    expect(await check.getByRole('listitem').allInnerTexts()).toContainEqual(
      expect.stringMatching(/ok\s*schema \d+ statements would add/),
    );
    expect(await accessibilityFindings(page)).toEqual([]);
    await check.getByRole('button', { name: 'Close' }).last().click();
    await page.locator(':focus[aria-label="Check Recipes"]').waitFor();

    await recipes.getByRole('button', { name: 'Enable Recipes' }).click();
    const enable = page.getByRole('dialog', { name: 'Enable Recipes?' });
    await enable.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByText('Done, without downtime').waitFor();
    await recipes.waitFor({ state: 'detached' });
    await row.getByText('Running', { exact: true }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Recipes', exact: true }).click();
    await page.getByRole('link', { name: 'New recipe' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'New recipe' }).waitFor();
    await page.getByLabel('Name').fill('Pea soup');
    await page
      .getByRole('button', { name: /^Create/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: /Pea soup/ }).waitFor();
    expect(errors).toEqual([]);
  });

  it('says on an open page of the type that its plugin is gone, loses nothing that was typed, and finds it when it is there again', async () => {
    const { page, open, forgetErrors } = tab();
    await open('/content/recipe/new');
    await page.getByLabel('Name').fill('Leek soup');

    await platform.change('/api/platform/plugins/recipes/disable');
    await page
      .getByRole('button', { name: /^Create/ })
      .first()
      .click();

    await page.getByText('Recipe is no longer in use').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Leek soup');
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Recipes', exact: true })
      .waitFor({ state: 'detached' });

    await platform.change('/api/platform/plugins/recipes/enable');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Recipe is no longer in use').waitFor({ state: 'detached' });
    // The navigation has it when the person comes back to the tab.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Recipes', exact: true }).waitFor();
    await page
      .getByRole('button', { name: /^Create/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: /Leek soup/ }).waitFor();
    forgetErrors();
  });

  it('shows why the routes of a plugin may use all items', async () => {
    const { page } = tab();
    await toPlugins(page);
    const details = await openPlugin(page, 'Desk');
    const row = details.getByRole('row', { name: 'System scope' });
    expect(await row.getByRole('listitem').allInnerTexts()).toEqual(['Counts the notes of all users']);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
  });

  it('shows that this host could not load the plugin set, why, and what to do; and a change that was taken back', async () => {
    const { page, open, errors } = tab();
    const error = {
      code: 'PLUGIN_NOT_FETCHED',
      message: 'The plugin oven has no archive.',
      remedy: 'Start the other host.',
    };
    const undone = { code: 'PLUGIN_CRASHED', message: 'The change was undone: cold.', remedy: 'Fix the plugin.' };
    const times = { requestedAt: new Date().toISOString(), since: new Date().toISOString() };
    const changes = [{ id: 'a', action: 'enable', plugins: ['oven'], phase: 'failed', error: undone, ...times }];
    const pluginSet = { generation: 3, behind: { generation: 4, error } };
    const data = { changesTakeEffect: 'at-once', generation: 1, changes, pluginSet };
    await page.route('**/api/platform/generations', (route) => route.fulfill({ json: { data } }));
    await open('/plugins');

    const behind = page.getByRole('alert').filter({ hasText: 'This host runs an earlier plugin set' });
    await behind.waitFor();
    expect(await behind.innerText()).toMatch(
      /generation 3 of the plugin set, and the database has generation 4[^]*Why: The plugin oven has no archive\.[^]*Remedy: Start the other host\./,
    );
    await page
      .getByRole('alert')
      .filter({ hasText: 'Enabling oven failed' })
      .getByText('The change was undone: cold.')
      .waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.unroute('**/api/platform/generations');
  });

  it('shows why the last change of a plugin failed, with its time, among the details of the plugin', async () => {
    const { page, errors } = tab();
    const error = { code: 'PLUGIN_CRASHED', message: 'The change was undone: no room.', remedy: 'Fix the plugin.' };
    const since = '2026-01-02T03:04:05.000Z';
    const change = { id: '1', action: 'upgrade', plugins: ['desk'], phase: 'failed', error, requestedAt: since, since };
    await toPlugins(page);
    const report = { ...(await platform.generations()), changes: [change] };
    await page.route('**/api/platform/generations', (route) => route.fulfill({ json: { data: report } }));

    const details = await openPlugin(page, 'Desk');
    const failure = details.getByRole('alert').filter({ hasText: 'Upgrading failed' });
    await failure.getByText('The change was undone: no room.').waitFor();
    expect(await failure.locator('time').getAttribute('datetime')).toBe(since);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await page.unroute('**/api/platform/generations');
    expect(errors).toEqual([]);
  });

  it('says that a change waits for another only of one that is behind another', async () => {
    const { page, errors } = tab();
    const waiting = (id: string, plugin: string) => {
      const now = new Date().toISOString();
      return { id, action: 'disable', plugins: [plugin], phase: 'waiting', requestedAt: now, since: now };
    };
    await toPlugins(page);
    const report = { ...(await platform.generations()), changes: [waiting('2', 'articles'), waiting('1', 'recipes')] };
    await page.route('**/api/platform/generations', (route) => route.fulfill({ json: { data: report } }));

    const changes = page.locator('.change').getByRole('status');
    await changes.filter({ hasText: 'Disabling recipes' }).getByText('The change is about to begin.').waitFor();
    await changes.filter({ hasText: 'Disabling articles' }).getByText('The change waits for another change.').waitFor();
    await page.unroute('**/api/platform/generations');
    expect(errors).toEqual([]);
  });

  it('takes in the new files of a plugin that runs, when the check finds others than those', async () => {
    const { page, errors } = tab();
    await toPlugins(page);
    const check = page.getByRole('dialog', { name: 'Check of Sketch' });
    await (await openPlugin(page, 'Sketch')).getByRole('button', { name: 'Check Sketch' }).click();
    await check.getByText('All checks passed.').waitFor();
    expect(await check.getByRole('button', { name: /^Enable/ }).count()).toBe(0);

    writeSketch('1.1.0');
    await check.getByRole('button', { name: 'Check again' }).click();
    await check.getByRole('button', { name: 'Enable the changed files' }).click();
    await page.getByText('Enabling sketch').waitFor();
    await pluginRow(page, 'Sketch').getByRole('cell', { name: '1.1.0' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('installs a plugin from a file, upgrades it after a check, and uninstalls it', async () => {
    const { page, errors } = tab();
    const folder = platform.environment['GANTRY_PROJECT'] ?? '';
    const [first, second] = ['1.0.0', '2.0.0'].map((version) => packPlugin(folder, { id: 'boats', version }));
    const choose = async (dialog: Locator, file = ''): Promise<void> => {
      await dialog.getByLabel('Tarball of npm pack').check();
      await dialog.locator('input[type=file]').setInputFiles(file);
      await dialog.getByRole('button', { name: 'Check' }).click();
    };
    await toPlugins(page);
    await page.getByRole('button', { name: 'Install plugin' }).click();
    const install = page.getByRole('dialog', { name: 'Install a plugin' });
    await install.getByLabel('Package').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await choose(install, first);
    await install.getByText('Boats (boats), version 1.0.0').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await install.getByRole('button', { name: 'Install', exact: true }).click();
    const row = pluginRow(page, 'Boats');
    await row.getByText('Running', { exact: true }).waitFor();

    await (await openPlugin(page, 'Boats')).getByRole('button', { name: 'Upgrade Boats' }).click();
    const upgrade = page.getByRole('dialog', { name: 'Upgrade Boats' });
    await choose(upgrade, second);
    await upgrade.getByText('version 1.0.0 → 2.0.0').waitFor();
    await upgrade.getByRole('button', { name: 'Upgrade', exact: true }).click();
    await row.getByRole('cell', { name: '2.0.0' }).waitFor();

    await (await openPlugin(page, 'Boats')).getByRole('button', { name: 'Uninstall Boats' }).click();
    const uninstall = page.getByRole('dialog', { name: 'Uninstall Boats?' });
    await uninstall.getByText('All data are kept').waitFor();
    await uninstall.getByRole('button', { name: 'Uninstall', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
  });

  it('disables with the keyboard, naming what goes with it and that the data stay', async () => {
    const { page, errors } = tab();
    await toPlugins(page);
    const usual = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 390, height: 850 });
    await pluginRow(page, 'Articles').getByRole('link').press('Enter');
    await page.getByRole('button', { name: 'Disable Articles' }).focus();

    // Escape closes the question, and only that.
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Disable Articles?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator(':focus[aria-label="Disable Articles"]').waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Disable Articles?' });
    await dialog.getByText('All data are kept').waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['Recipes']);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    await page.getByText('Disabling articles').waitFor();
    const done = page.getByText('Done, without downtime');
    await done.waitFor();
    // Wherever in the list one is.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    const place = await done.boundingBox();
    expect(place === null ? undefined : place.y > 0 && place.y < 850).toBe(true);
    await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
    await done.waitFor({ state: 'detached' });
    await page.locator('main:focus').waitFor();
    await pluginRow(page, 'Articles').getByText('Disabled', { exact: true }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.setViewportSize(usual);
    expect(errors).toEqual([]);
  });

  it('shows a change that was asked for elsewhere next to the one that it waits for, and the navigation of any page follows both', async () => {
    const { page, errors } = tab();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Notes', exact: true }).waitFor();
    await toPlugins(page);
    await (await openPlugin(page, 'Articles')).getByRole('button', { name: 'Enable Articles' }).click();
    const enable = page.getByRole('dialog', { name: 'Enable Articles?' });
    await enable.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByText('Enabling articles').waitFor();
    await platform.send('POST', '/api/platform/plugins/desk/disable');

    // One look at both, as they continue all the time.
    const changes = page.locator('.change').getByRole('status');
    const waits = 'The change waits for another change.';
    await eventually(async () => {
      const [first = '', second = ''] = await changes.allInnerTexts();
      return /^Enabling Articles\b/.test(first) && !first.includes(waits) && second.includes(waits);
    });
    await page.getByRole('link', { name: 'Home' }).click();
    await navigation.getByRole('link', { name: 'Articles', exact: true }).waitFor();
    await navigation.getByRole('link', { name: 'Notes', exact: true }).waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
  });
});
