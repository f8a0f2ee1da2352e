import { useTestHost } from '../../support/platform';
import { accessibilityFindings, useAdminTab } from './support/open-pages';
import { openPlugin } from './support/plugins';

const host = useTestHost({ plugins: ['plugins/admin-ui', 'test/samples/beehives'] });
const tab = useAdminTab(() => host.address);

describe('the settings of a plugin', () => {
  it('are shown by their schema, changed, and refused beside what is wrong', async () => {
    const { page, open, errors } = tab();
    await open('/plugins');
    await (await openPlugin(page, 'Beehives')).getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    const light = page.getByLabel('Light hive');
    expect(await light.getAttribute('placeholder')).toBe('Default: 5');

    await light.fill('101');
    await page.getByLabel('Unit').selectOption('lb');
    await page.getByLabel('Token of the scale').fill('token-of-bees');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/expected number to be <=100/).waitFor();
    await light.fill('7.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('input[placeholder="Stored; type to replace it"]').waitFor();
    expect(await page.getByLabel('Unit').inputValue()).toBe('lb');
    expect(await light.inputValue()).toBe('7.5');
    expect(await page.content()).not.toContain('token-of-bees');
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Remove' }).click();
    await light.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Token of the scale').and(page.locator('[placeholder="None"]')).waitFor();
    expect(await light.inputValue()).toBe('');
    // The browser reports the refusal.
    expect(errors).toEqual([expect.stringContaining('400')]);
  });
});
