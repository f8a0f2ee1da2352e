import type { Download, Page } from 'playwright-core';
import { execute } from '../../../support/database';
import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { create, remove } from '../support/content';
import { choose } from '../support/lists';
import type { AdminTab } from '../support/open-pages';

/** How much wider the table is than its place. */
const scrolledWidth = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.audit'))`;

export function describeAudit(host: TestHost, tab: () => AdminTab): void {
  // The question where to store a file has no answer here.
  beforeAll(() => tab().page.addInitScript('window.showSaveFilePicker = undefined'));
  afterEach(() => expect(tab().errors).toEqual([]));

  it('finds changes of items by type, action and day, and leads to their history', async () => {
    const { page, go } = tab();
    const id = await create(host.address, 'article', { title: 'Audited' });
    await remove(host.address, 'article', id);
    await go('/audit');
    await page.getByLabel('Type').selectOption('Articles');
    await page.getByLabel('Action').selectOption('Deleted');
    const row = page.getByRole('row', { name: /Deleted.*Audited/ });
    await row.waitFor();
    await eventually(
      async () => (await page.getByRole('row', { name: /Deleted|Changed/ }).count()) === 1,
      'only the deletion is listed',
    );
    await page.getByLabel('To', { exact: true }).fill('2001-01-01');
    await page.getByText('No entry matches the filters.').waitFor();
    await page.goBack();
    await row.getByRole('link', { name: 'Audited' }).click();

    await page.getByText('This Article is deleted').waitFor();
  });

  it('says the day once, and shows whole entries and filters on a phone', async () => {
    const { page, go } = tab();
    await create(host.address, 'article', { title: 'Read on a phone' });
    const usual = page.viewportSize() ?? { width: 1280, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    await go('/audit?type=article');
    const link = page.getByRole('link', { name: 'Read on a phone' });
    await link.waitFor();

    expect(await page.getByRole('rowheader', { name: 'Today' }).count()).toBe(1);
    expect(await page.evaluate(scrolledWidth)).toBe(0);
    expect(await page.getByLabel('Type').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Action').selectOption('Deleted');
    await link.waitFor({ state: 'detached' });
    await page.setViewportSize(usual);
  });

  it('writes what the filters leave as CSV and as JSON Lines', async () => {
    const { page, go } = tab();
    await create(host.address, 'event', { code: 'sum', name: '=1+1' });
    await go('/audit?type=event&action=created');
    const [csv, lines] = [await exported(page, 'CSV'), await exported(page, 'JSON Lines')];

    expect(csv.name).toBe('audit-items.csv');
    expect(csv.text).toContain('time,actor,actor name,action,type,id,item,version');
    expect(csv.text).toMatch(/,local,[^,]*,created,event,/);
    expect(csv.text).toContain(",'=1+1,1,");
    const parsed = lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; action: string });
    expect(parsed.every(({ type, action }) => type === 'event' && action === 'created')).toBe(true);
    expect(parsed.length).toBe(csv.text.trim().split('\r\n').length - 1);
  });

  it('lists security events', async () => {
    const { page, go } = tab();
    await execute(
      host.databaseUrl,
      `INSERT INTO gantry_audit_event (actor, action, subject, address, detail) VALUES
       ('local', 'role-created', 'role:auditor', '127.0.0.1', '{"role":{"name":"auditor"}}'),
       ('local', 'plugin-disabled', 'plugin:events', '127.0.0.1', '{}')`,
    );
    await go('/audit?tab=security');
    await page.getByRole('combobox', { name: 'Action' }).fill('role-created');
    await page.keyboard.press('Enter');

    await page.getByRole('row', { name: /Role created.*auditor/ }).waitFor();
    await page.getByRole('row', { name: /Plugin disabled/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Item changes' }).click();
    await page.getByRole('region', { name: 'Item changes' }).waitFor();
  });

  async function exported(page: Page, format: string): Promise<{ readonly name: string; readonly text: string }> {
    const downloading = page.waitForEvent('download');
    await choose(page, 'Export', format);
    const download: Download = await downloading;
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString('utf8') };
  }
}
