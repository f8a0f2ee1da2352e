import { askUntil } from '../../../support/ask-until';
import { goInside } from '../support/go-inside';
import type { AdminTab } from '../support/open-pages';
import type { OrdersPlatform } from '../support/orders-platform';

/** On a platform with the delivered order A-1. */
export function testTemporalAway(orders: () => OrdersPlatform, tab: () => AdminTab): void {
  afterAll(() => tab().forgetErrors());

  it('say so, keep what was typed, show what is stored of the orders, and place orders again when it is back', async () => {
    const { page, go } = tab();
    await go('/operations/orders');
    await orders().stopTemporal();
    const placing = page.getByRole('dialog', { name: 'Place an order' });
    await page.getByRole('button', { name: 'Place order' }).click();
    await placing.getByLabel('Order id').fill('T-1');
    await placing.getByRole('button', { name: 'Place order' }).click();
    const refused = page.getByRole('alert').filter({ hasText: 'The order was not placed' });
    await refused.waitFor();
    expect(await refused.innerText()).not.toContain('tries again');
    expect(await placing.getByLabel('Order id').inputValue()).toBe('T-1');
    await placing.getByRole('button', { name: 'Cancel' }).click();
    const all = page.getByRole('region', { name: 'Orders' });
    await all.getByRole('row').filter({ hasText: 'A-1' }).getByText('Delivered').waitFor();
    await all.getByRole('link', { name: 'A-1' }).click();
    await page.getByText('The order could not be loaded', { exact: true }).waitFor();
    await page.getByText('Delivered', { exact: true }).waitFor();

    await goInside(page, '/operations/orders');
    await page.getByRole('button', { name: 'Place order' }).click();
    await placing.getByLabel('Order id').fill('T-1');
    await orders().startTemporal();
    await askUntil(
      () => orders().send('POST', '/workflows/order-A-1/cancel', {}),
      (status) => status !== 503,
    );
    await placing.getByRole('button', { name: 'Place order' }).click();
    await page.getByRole('heading', { level: 1, name: 'Order T-1' }).waitFor();
  });
}
