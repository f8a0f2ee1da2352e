import { findingsInAllLooks, findingsInOppositeLooks } from '../support/all-looks';
import { goInside } from '../support/go-inside';
import type { AdminTab } from '../support/open-pages';
import { refreshUntil } from '../support/operations-page';
import type { OrdersPlatform } from '../support/orders-platform';

/** Orders that Temporal does not keep: 60 that were delivered, and one of each other kind. */
const storedOrders = `
  INSERT INTO order_order (order_id, run_id, namespace_id, status, step, reason, since)
  SELECT 'old-' || lpad(n::text, 3, '0'), 'run', 'gone', 'DELIVERED', 'COMPLETED', NULL,
    to_char(now() AT TIME ZONE 'UTC' - make_interval(days => 1, mins => n), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  FROM generate_series(1, 60) n;
  INSERT INTO order_order (order_id, run_id, namespace_id, status, step, reason, since) VALUES
    ('failed-1', 'run', 'gone', 'FAILED', 'ORDER_PLACED', 'The workflow of the order was terminated.', '2026-01-01T00:00:00.000Z'),
    ('refunded-1', 'run', 'gone', 'REFUNDED', 'COMPLETED', NULL, '2026-01-01T00:00:00.000Z'),
    ('unpaid-1', 'run', 'gone', 'NOT_PAID', 'NOT_PAID', NULL, '2026-01-01T00:00:00.000Z')`;

/** On a platform without orders. */
export function testOrderList(orders: () => OrdersPlatform, tab: () => AdminTab): void {
  beforeAll(() => orders().sql(storedOrders));

  const tabs = () => tab().page.getByRole('navigation', { name: 'Orders by state' });
  const table = () => tab().page.getByRole('region', { name: 'Orders', exact: true });
  const row = (orderId: string) => table().getByRole('row').filter({ hasText: orderId });

  /** Opens the group of this name once it has as many orders. */
  const showAndOpen = async (name: string): Promise<void> => {
    const group = tabs().getByRole('link', { name });
    await refreshUntil(tab().page, group);
    await group.click();
  };

  const runsOf = async (orderId: string): Promise<unknown> => {
    const { data } = (await (await fetch(`${orders().address}/workflows/order-${orderId}`)).json()) as {
      readonly data: { readonly status: string };
    };
    return data.status;
  };

  afterEach(() => {
    expect(tab().errors).toEqual([]);
    expect(tab().outside).toEqual([]);
  });

  it('counts the orders of each group, shows them, and goes back to the group before', async () => {
    const { page, open, requests } = tab();
    await open('/operations/orders');
    await tabs().getByRole('link', { name: 'All 63' }).waitFor();
    expect(requests.length).toBeLessThanOrEqual(4);
    // Orders that need a person come first.
    expect(await table().getByRole('row').nth(1).innerText()).toContain('failed-1');
    // Where there are fewer than on the first page.
    await page.getByRole('button', { name: 'Next page' }).click();
    for (const orderId of ['old-060', 'refunded-1', 'unpaid-1']) await row(orderId).waitFor();
    expect(await findingsInAllLooks(page)).toEqual([]);
    await tabs().getByRole('link', { name: 'Delivered 60' }).click();
    await page.getByText('1–50 of 60').waitFor();
    await tabs().getByRole('link', { name: 'Needs attention 1' }).click();
    await row('failed-1').getByText('The workflow of the order was terminated.').waitFor();
    expect(await table().getByRole('row').count()).toBe(2);
    await tabs().getByRole('link', { name: 'In transit 0' }).click();
    await page.getByText('No orders here').waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);

    await page.goBack();
    await row('failed-1').waitFor();
    expect(await tabs().getByRole('link', { name: 'Needs attention' }).getAttribute('aria-current')).toBe('page');
  });

  it('makes no requests in a hidden tab, and refreshes when the tab is shown again', async () => {
    const { page, open, requests } = tab();
    const show = (state: 'visible' | 'hidden') =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`);
    await page.clock.install();
    await open('/operations/orders');
    const asked = [/\/orders\?/, /\/orders\/counts$/].map((url) => page.waitForRequest(url));
    await Promise.all([...asked, page.clock.runFor(10_000)]);

    await show('hidden');
    await page.waitForLoadState('networkidle');
    const before = requests.length;
    await page.clock.runFor(60_000);
    expect(requests.slice(before)).toEqual([]);

    const refreshed = page.waitForRequest(/\/orders\?/);
    await show('visible');
    await refreshed;
    await page.clock.resume();
  });

  it('is summed up on the home page, which leads to each group', async () => {
    const { page, go } = tab();
    await go('/');
    const card = page.getByRole('region', { name: 'Orders', exact: true });
    await card.getByRole('listitem').filter({ hasText: 'Delivered' }).getByText('60', { exact: true }).waitFor();
    const attention = page.getByRole('region', { name: 'Needs attention', exact: true });
    await attention
      .getByRole('listitem')
      .filter({ hasText: 'Orders that need attention' })
      .getByText('1', { exact: true })
      .waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    await card.getByRole('link', { name: 'Needs attention' }).click();
    await row('failed-1').waitFor();
  });

  it('shows unpaid and refunded orders as what they are, and not as completed', async () => {
    await goInside(tab().page, '/operations/orders?since=over-24h&sort=since');
    await row('refunded-1').getByText('Refunded', { exact: true }).waitFor();
    await row('unpaid-1').getByText('Not paid', { exact: true }).first().waitFor();
  });

  it('goes from page to page and back, in both orders', async () => {
    const { page } = tab();
    await goInside(page, '/operations/orders?group=delivered');
    await row('old-001').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('51–60 of 60').waitFor();
    await row('old-060').waitFor();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await row('old-001').waitFor();
    await page.getByRole('button', { name: 'Since' }).click();

    await row('old-060').waitFor();
    expect(page.url()).toContain('sort=since');
  });

  it('searches by the beginning of an id and by time, with the address as the only state', async () => {
    const { page, go } = tab();
    await go('/operations/orders');
    await page.keyboard.press('/');
    await page.keyboard.type('old-00');
    await page.keyboard.press('Enter');
    await page.getByText('1–9 of 9').waitFor();
    await page.getByLabel('Since').selectOption('In the last hour');
    await page.getByText('No results').waitFor();
    await page.goBack();
    await page.getByText('1–9 of 9').waitFor();
    await page.reload();
    await page.getByText('1–9 of 9').waitFor();

    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('1–50 of 63').waitFor();
  });

  it('takes an order from its payment to its way to the customer, by the actions in its row', async () => {
    await orders().send('POST', '/place-order', { orderId: 'Q-1' });
    await goInside(tab().page, '/operations/orders?group=awaiting-payment');
    await row('Q-1')
      .getByText(/^\d.* of 1 min$/)
      .waitFor();
    await row('Q-1').getByRole('button', { name: 'Record payment: Q-1' }).press('Enter');
    await showAndOpen('To dispatch 1');
    await row('Q-1').getByText('Waiting for dispatch').waitFor();
    await row('Q-1').getByRole('button', { name: 'Dispatch: Q-1' }).press('Enter');
    await showAndOpen('In transit 1');

    await row('Q-1').getByText('In transit').waitFor();
  });

  it('decides about an order beside the list, and goes on with the next one', async () => {
    const { page } = tab();
    await orders().startOrder('Q-2', true);
    await orders().send('POST', '/workflows/consignment-Q-2/terminate', { reason: 'lost' });
    await goInside(page, '/operations/orders?group=attention');
    await refreshUntil(page, row('Q-2'));
    await row('Q-2').getByRole('button', { name: 'Decide on Q-2' }).press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Q-2' });
    await drawer.locator('h2:focus').waitFor();
    await drawer.getByText('of 2 to decide').waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await row('Q-2').locator('button:focus').waitFor();
    await row('Q-2').getByRole('button', { name: 'More actions for Q-2' }).press('Enter');
    const way = page.getByRole('menuitem', { name: 'Open its workflow' });
    expect(await way.getAttribute('href')).toBe('/admin/operations/orders/Q-2?tab=technical');
    await page.keyboard.press('Escape');
    await row('Q-2').getByRole('button', { name: 'Decide on Q-2' }).press('Enter');
    await drawer.getByRole('radio', { name: 'Settled elsewhere' }).check();
    await drawer.getByLabel('Outcome').waitFor();
    await drawer.getByRole('radio', { name: 'Refund' }).check();
    await drawer.getByRole('button', { name: 'Refund the order' }).click();
    await drawer.getByText('Give the reason; it is stored in the history.').waitFor();
    await drawer.getByLabel('Reason').fill('the parcel was lost');
    await drawer.getByRole('button', { name: 'Refund the order' }).click();
    const next = page.getByRole('dialog', { name: 'failed-1' });
    await next.getByRole('button', { name: 'Close' }).click();
    await next.waitFor({ state: 'hidden' });
    await refreshUntil(page, row('Q-2'), 'detached');

    await tabs().getByRole('link', { name: 'Refunded' }).click();
    await row('Q-2').getByText('Refunded', { exact: true }).waitFor();
  });

  it('acknowledges a failed order from its row, which then needs no attention, and shows that on its page', async () => {
    const { page } = tab();
    await goInside(page, '/operations/orders?group=attention');
    await row('failed-1').getByRole('button', { name: 'Acknowledge failed-1' }).press('Enter');
    const drawer = page.getByRole('dialog', { name: 'failed-1' });
    await drawer.getByLabel('Reason').fill('placed by mistake');
    await drawer.getByLabel('Your name').fill('Ann');
    await drawer.getByRole('button', { name: 'Acknowledge', exact: true }).click();
    await page.getByText('Nothing needs attention').waitFor();
    await refreshUntil(page, tabs().getByRole('link', { name: 'Needs attention 0' }));

    await goInside(page, '/operations/orders?status=FAILED');
    await row('failed-1').getByText('Acknowledged by Ann: placed by mistake').waitFor();
    await row('failed-1').getByRole('link', { name: 'failed-1' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'The failure was acknowledged' })
      .getByText(/, by Ann/)
      .waitFor();
    tab().forgetErrors();
  });

  it('resets several orders at once, and says before what each repeats or why it is refused', async () => {
    const { page } = tab();
    await orders().startOrder('M-1', true);
    await orders().send('POST', '/workflows/consignment-M-1/terminate', { reason: 'lost' });
    await orders().send('POST', '/place-order', { orderId: 'M-3' });
    await goInside(page, '/operations/orders?id=M-3');
    await refreshUntil(page, row('M-3').getByText('Waiting for payment'));
    await orders().send('POST', '/workflows/order-M-3/terminate', { reason: 'by mistake' });
    await orders().sql(`UPDATE order_order SET status = 'FAILED' WHERE order_id = 'M-3'`);
    await orders().sql(`INSERT INTO order_order (order_id, run_id, namespace_id, status, step, since)
      VALUES ('M-2', 'run', 'gone', 'FAILED', 'ORDER_PLACED', '2026-01-01T00:00:00.000Z')`);
    await goInside(page, '/operations/orders?id=M-');
    await refreshUntil(page, row('M-1').getByText('Needs a decision'));
    await page.getByRole('checkbox', { name: 'Select all orders of this page' }).press('Space');
    await page.getByRole('button', { name: 'Reset (3) …' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Reset 3 orders?' });
    await dialog
      .getByRole('listitem')
      .filter({ hasText: 'M-1' })
      .getByText(/^Repeats .*onsignment/)
      .waitFor();
    await dialog
      .getByRole('listitem')
      .filter({ hasText: 'M-2' })
      .getByText('Will be refused: Workflow not found')
      .waitFor();
    await dialog
      .getByRole('listitem')
      .filter({ hasText: 'M-3' })
      .getByText(/^(Continues after its last step|Repeats .+)/)
      .waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    await dialog.getByLabel('Reason').fill('the parcel was found');
    await dialog.getByRole('button', { name: 'Reset 3 orders' }).press('Enter');
    await dialog.getByText('2 of 3 orders done, 1 failed').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().press('Enter');

    await refreshUntil(page, row('M-1').getByText('Open'));
    expect(await runsOf('M-3')).toBe('RUNNING');
    tab().forgetErrors();
  });

  it('dispatches several orders at once, lists those that it does not apply to, and keeps what failed', async () => {
    const { page } = tab();
    for (const orderId of ['B-1', 'B-2']) await orders().startOrder(orderId, true);
    await orders().sql(`INSERT INTO order_order (order_id, run_id, namespace_id, status, step, since)
      VALUES ('B-3', 'run', 'gone', 'DELIVERED', 'COMPLETED', '2026-01-01T00:00:00.000Z')`);
    const error = { code: 'WORKFLOW_CLOSED', message: 'The consignment of B-2 has ended.', requestId: 'r-1' };
    await page.route('**/consignments/B-2/dispatched', (route) => route.fulfill({ status: 409, json: { error } }));
    await goInside(page, '/operations/orders?id=B-');
    for (const orderId of ['B-1', 'B-2']) await refreshUntil(page, row(orderId).getByText('Waiting for dispatch'));
    for (const orderId of ['B-1', 'B-2', 'B-3']) {
      await page.getByRole('checkbox', { name: `Select ${orderId}` }).press('Space');
    }
    const bar = page.getByRole('group', { name: 'Selected orders' });
    await bar.getByText('3 selected').waitFor();
    await bar.getByRole('button', { name: 'Dispatch (2) …' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Dispatch 2 orders?' });
    const notIncluded = dialog.getByRole('region', { name: 'Orders not included' }).getByRole('listitem');
    await notIncluded.first().waitFor();
    expect(await notIncluded.count()).toBe(1);
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Dispatch 2 orders' }).press('Enter');

    await dialog.getByText('1 of 2 orders done, 1 failed').waitFor();
    const results = dialog.getByRole('region', { name: 'Results' });
    await results.getByText('The consignment of B-2 has ended.').waitFor();
    await page.unroute('**/consignments/B-2/dispatched');
    tab().forgetErrors();
    await dialog.getByRole('button', { name: 'Retry' }).press('Enter');
    await dialog.getByText('2 of 2 orders done').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().press('Enter');
    await bar.getByText('1 selected').waitFor();
    await refreshUntil(page, row('B-1').getByText('In transit'));
  });

  it('cancels several orders at once, and says what that means for each', async () => {
    const { page } = tab();
    await orders().send('POST', '/place-order', { orderId: 'C-1' });
    await orders().startOrder('C-2', true);
    await goInside(page, '/operations/orders?id=C-');
    await refreshUntil(page, row('C-1').getByText('Waiting for payment'));
    await refreshUntil(page, row('C-2').getByText('Waiting for dispatch'));
    await page.getByRole('checkbox', { name: 'Select all orders of this page' }).press('Space');
    await page.getByRole('button', { name: 'Cancel orders (2) …' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Cancel 2 orders?' });
    await dialog.getByRole('listitem').filter({ hasText: 'C-1' }).getByText('Not paid: ends').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'C-2' }).getByText('Paid: is refunded').waitFor();
    await dialog.getByLabel('Reason').fill('out of stock');
    await dialog.getByRole('button', { name: 'Cancel 2 orders' }).press('Enter');
    await dialog.getByText('2 of 2 orders done').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().press('Enter');

    await refreshUntil(page, row('C-2').getByText('Refunded', { exact: true }));
    await refreshUntil(page, row('C-1').getByText('The order was cancelled.'));
  });

  it('names the order whose report was refused, and why', async () => {
    const { page } = tab();
    await orders().send('POST', '/place-order', { orderId: 'Q-3' });
    const error = { code: 'UNAVAILABLE', message: 'Temporal is unavailable.', requestId: 'r-1' };
    await page.route('**/payment?*', (route) => route.fulfill({ status: 503, json: { error } }));
    await goInside(page, '/operations/orders?group=awaiting-payment');
    await refreshUntil(page, row('Q-3'));
    await row('Q-3').getByRole('button', { name: 'Record payment: Q-3' }).click();
    await page.getByRole('alert').filter({ hasText: 'Q-3: The payment was not recorded' }).waitFor();
    await page.unroute('**/payment?*');
    tab().forgetErrors();
  });
}
