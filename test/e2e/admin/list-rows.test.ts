import { useTestHost } from '../../support/platform';
import { adminPlugins, create } from './support/content';
import { choose, findingsIn } from './support/lists';
import { useAdminTab } from './support/open-pages';

const host = useTestHost({ plugins: adminPlugins });
const tab = useAdminTab(() => host.address);

beforeAll(async () => {
  const catalog = await create(host.address, 'catalog', { code: 'garden', name: 'Garden tools' });
  for (let index = 0; index < 3; index += 1) {
    const image = '/admin/icon.svg';
    await create(host.address, 'product', {
      code: `P-${index}`,
      name: `Spade ${index}`,
      price: 12_345,
      catalog,
      image,
    });
  }
});

describe('a row of a list', () => {
  afterEach(() => expect(tab().errors).toEqual([]));

  it('shows choices, numbers and times as people read them, and the image beside the label where no column has it', async () => {
    const { page, open } = tab();
    await open('/content/product?columns=code,price,approvalStatus,createdAt');
    const row = page.getByRole('row').filter({ hasText: 'P-1' });

    await row.getByRole('cell', { name: 'Check', exact: true }).waitFor();
    await row.getByRole('cell', { name: '12,345', exact: true }).waitFor();
    expect(await row.locator('time').innerText()).toMatch(/ago|now/);
    expect(await row.locator('time').getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d .* UTC$/);
    expect(await row.getByRole('link', { name: 'P-1', exact: true }).locator('img').count()).toBe(1);
  });

  it('opens its item wherever it is clicked', async () => {
    const { page, open } = tab();
    await open('/content/product');
    await page.getByRole('row').filter({ hasText: 'P-2' }).getByRole('cell', { name: 'Spade 2' }).click();

    await page.getByRole('heading', { level: 1, name: 'P-2' }).waitFor();
  });

  it('has a menu of all that can be done with its item, by keyboard too', async () => {
    const { page, open } = tab();
    await open('/content/product');
    const button = page.getByRole('button', { name: /^More actions for P-0/ });
    await button.press('Enter');
    await page.locator('[role=menu] :focus').waitFor({ state: 'attached' });
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      ...['Edit', 'Duplicate'],
      // The cells that the type declares as editable in the list.
      ...['Edit Name …', 'Edit Price …', 'Edit Approval status …'],
      'Delete …',
    ]);
    expect(await findingsIn(page, '[role=menu]')).toEqual([]);
    await page.keyboard.press('Escape');
    await button.and(page.locator(':focus')).waitFor();

    await button.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete …' }).press('Enter');
    await page.getByRole('dialog', { name: 'Delete Product?' }).waitFor();
    await page.keyboard.press('Escape');
    await button.and(page.locator(':focus')).waitFor();
  });
});

describe('the table of a list', () => {
  it('keeps the width of a column that the arrow keys changed, and how high its rows are', async () => {
    const { page, open } = tab();
    await open('/content/product');
    const edge = page.getByRole('separator', { name: 'Width of Name' });
    const stored = page.waitForResponse((response) => response.request().method() === 'PUT');
    await edge.press('ArrowRight');
    await edge.press('ArrowRight');
    const width = await edge.getAttribute('aria-valuenow');
    await stored;
    await choose(page, 'More', /Compact rows/);
    await page.locator('.items[data-compact]').waitFor();
    await page.waitForLoadState('networkidle');

    await open('/content/product');
    await page.locator('.items[data-compact]').waitFor();
    expect(await edge.getAttribute('aria-valuenow')).toBe(width);
    expect((await page.getByRole('columnheader', { name: 'Name' }).boundingBox())?.width).toBeCloseTo(Number(width), 0);
    await edge.press('Enter');
    expect(await edge.getAttribute('aria-valuetext')).toBe('automatic');
  });
});
