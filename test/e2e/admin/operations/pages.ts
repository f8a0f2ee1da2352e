import { findingsInAllLooks, findingsInOppositeLooks } from '../support/all-looks';
import { goInside } from '../support/go-inside';
import type { AdminTab } from '../support/open-pages';
import { doneWhen, placeOf, refreshUntil } from '../support/operations-page';
import type { OrdersPlatform } from '../support/orders-platform';

export function testOperationsPages(orders: () => OrdersPlatform, tab: () => AdminTab): void {
  afterEach(() => {
    expect(tab().errors).toEqual([]);
    expect(tab().outside).toEqual([]);
  });

  it('drive an order from placing to the confirmed receipt, by keyboard, and show what it left behind', async () => {
    const { page, go } = tab();
    await go('/operations/orders');
    await page.getByRole('button', { name: 'Place order' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Order id').fill('A-1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Order A-1' }).waitFor();
    for (const step of ['Record payment', 'Report delivered', 'Dispatch', 'Confirm receipt']) {
      await page.getByRole('button', { name: step, exact: true }).press('Enter');
      await page
        .getByRole('listitem')
        .filter({ hasText: doneWhen(step) })
        .waitFor();
      // The button is gone; Tab continues from its step.
      await page.locator('li:focus').waitFor();
    }

    await page.getByText('Delivered', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Order confirmation · not sent (no mail server)' }).waitFor();
    await page.getByRole('link', { name: 'Payment confirmation · not sent' }).waitFor();
    await page.getByRole('link', { name: 'accepted' }).waitFor();
    await page.getByRole('link', { name: 'the carrier reports: delivered' }).waitFor();
    expect(await page.getByRole('region', { name: 'Refunds' }).count()).toBe(0);
  });

  it('show the workflow of an order on its page, with bars, activities and child, and lead there and back', async () => {
    const { page, go } = tab();
    await go('/operations/workflows/order-A-1');
    await page.getByRole('heading', { level: 1, name: 'Order A-1' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/operations\/orders\/A-1$/);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByRole('listitem').nth(4).waitFor();
    expect(await timeline.getByRole('listitem').count()).toBe(5);
    expect(await page.evaluate(placeOf('.timeline-scale'))).toEqual(await page.evaluate(placeOf('.timeline-track')));
    await timeline
      .getByRole('listitem')
      .filter({ hasText: 'paymentReceived' })
      .getByText('Received', { exact: true })
      .waitFor();
    await page
      .getByRole('region', { name: 'Activities' })
      .getByText('sendPaymentCompletedNotification')
      .first()
      .waitFor();

    const children = page.getByRole('region', { name: 'Child workflows' }).first();
    await children.getByText('"DELIVERED"').waitFor();
    await children.getByRole('link', { name: 'consignment-A-1' }).click();
    await page.getByRole('heading', { level: 1, name: 'consignment-A-1' }).waitFor();
    await page.getByRole('link', { name: 'order-A-1' }).click();
    await page.getByRole('heading', { level: 1, name: 'Order A-1' }).waitFor();
    await page.getByRole('list', { name: 'Timeline' }).waitFor();
  });

  it('show the workflow of an order behind a tab of its page, with its raw history', async () => {
    const { page, go } = tab();
    await go('/operations/orders/A-1');
    await page.getByRole('link', { name: 'Technical', exact: true }).click();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByRole('listitem').nth(4).waitFor();
    await timeline
      .getByRole('link', { name: /^event/ })
      .first()
      .click();
    await page
      .locator('details[open]')
      .getByText(/"EVENT_TYPE_/)
      .waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/operations\/orders\/A-1$/);
    expect(new URL(page.url()).searchParams.get('tab')).toBe('technical');

    await page.getByRole('link', { name: 'Order', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: 'Actions of operators' }).waitFor();
    await page.getByRole('region', { name: 'Actions of operators' }).getByText('Payment recorded').waitFor();
  });

  it('print without what is for the screen only, in dark letters', async () => {
    const { page, go } = tab();
    await go('/operations/orders/A-1');
    await page.getByRole('list', { name: 'Steps' }).waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const seen = await Promise.all(
      (['navigation', 'button'] as const).map((role) => page.getByRole(role).filter({ visible: true }).count()),
    );
    const colour = await page.evaluate<string>(`getComputedStyle(document.querySelector('.steps b')).color`);
    await page.emulateMedia({ media: null, colorScheme: 'light' });

    expect(seen).toEqual([0, 0]);
    expect(colour).toBe('rgb(22, 29, 34)');
  });

  it.each([
    ['orders/A-1', 4],
    ['workflows/order-A-1', 4],
  ])('ask for little: %s', async (path, most) => {
    const { page, open, requests } = tab();
    await open(`/operations/${path}`);
    await page.getByRole('link', { name: 'consignment-A-1' }).first().waitFor();
    await page.waitForLoadState('networkidle');

    expect(requests.length).toBeLessThanOrEqual(most);
  });

  it('lead from a bar to its event in the raw history', async () => {
    const { page } = tab();
    const signal = page
      .getByRole('list', { name: 'Timeline' })
      .getByRole('listitem')
      .filter({ hasText: 'paymentReceived' });
    await signal.getByRole('link', { name: /^event/ }).click();

    await page.getByText('"EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED"').waitFor();
    expect(page.url()).toContain('view=history');
  });

  it('find a compensation that has failed and start it again, once the cause is gone', async () => {
    const { page } = tab();
    await orders().sql('ALTER TABLE payment_refund RENAME TO payment_refund_away');
    await orders().startOrder('U-1', false);
    await orders().send('POST', '/consignments/U-1/dispatched');
    await goInside(page, '/operations/orders?group=attention');
    const attention = page.getByRole('region', { name: 'Orders' });
    await refreshUntil(page, attention.getByRole('link', { name: 'U-1' }));
    await attention.getByRole('link', { name: 'U-1' }).click();
    await page.getByText('The payment could not be refunded').waitFor();
    await orders().sql('ALTER TABLE payment_refund_away RENAME TO payment_refund');
    tab().forgetErrors();

    await page.getByRole('button', { name: 'Compensate again …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reset the workflow' });
    await dialog.getByText('Repeated steps').waitFor();
    expect(await dialog.getByRole('radio', { name: 'Before the compensation that failed' }).isChecked()).toBe(true);
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['activity refundPayment']);
    await dialog.getByRole('button', { name: 'Reset the workflow' }).click();
    await dialog.getByText('Give the reason').waitFor();
    await dialog.getByLabel('Reason').fill('the table is back');
    await dialog.getByLabel('Your name').fill('Robin');
    await page.keyboard.press('Enter');

    await page.getByText('Not delivered', { exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 850 });
    await page.locator('.page-head').getByText('Refunded', { exact: true }).waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('link', { name: 'refunded' }).waitFor();
    await page.getByRole('link', { name: 'Cancellation · not sent' }).waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    tab().forgetErrors();
  });

  it('keep the reason of a reset in the history, and lead to the run before it', async () => {
    const { page, go } = tab();
    await go('/operations/workflows/order-U-1?view=history#event-5');
    await page.getByText('the table is back (requested by Robin)').first().waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'an earlier run' }).click();

    await page.getByText('The compensation has failed').waitFor();
    expect(await page.getByRole('button', { name: 'Actions' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Show the newest run' }).click();
    await page.getByText('Completed').first().waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);
  });

  it('reset an order that was refunded only for those who know that', async () => {
    const { page } = tab();
    await choose('Reset …');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'The beginning: all steps run again' }).check();
    await dialog.getByText('The payment of the order U-1 was refunded.').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Reset the workflow' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('I have read the warnings and want the reset').check();
    expect(await confirm.isDisabled()).toBe(false);

    expect(await findingsInOppositeLooks(page)).toEqual([]);
  });

  it('show every point of a reset, and why one is refused', async () => {
    const { page, go } = tab();
    await orders().startOrder('R-1', true);
    await go('/operations/workflows/order-R-1');
    await choose('Terminate …');
    await ask('Terminate the workflow?', 'Terminate the workflow', 'nobody wants it');
    await page.getByText('Terminated').first().waitFor();
    await choose('Reset …');
    const dialog = page.getByRole('dialog', { name: 'Reset the workflow' });
    await dialog.getByRole('button', { name: 'Advanced' }).click();
    const point = dialog.getByRole('option', { name: 'Event 4, before: sendOrderPlacedNotification' });
    await point.waitFor({ state: 'attached' });
    await dialog.getByRole('radio', { name: 'The last step' }).check();

    await dialog.getByText('The workflow cannot be reset to there').waitFor();
    expect(await dialog.getByRole('button', { name: 'Reset the workflow' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    tab().forgetErrors();
  });

  it('show on the page of an order how it ended, at whose request, and that money is owed', async () => {
    const { page } = tab();
    await goInside(page, '/operations/orders/R-1');

    await page.getByRole('alert').filter({ hasText: 'Reason:' }).getByText('nobody wants it').waitFor();
    await page.getByText('has ended without a refund').waitFor();
    expect(await page.getByRole('button', { name: 'Compensate again …' }).count()).toBe(0);
  });

  it('show on request how the records of an order changed', async () => {
    const { page } = tab();
    await goInside(page, '/operations/orders/A-1');
    await page.getByRole('heading', { level: 1, name: 'Order A-1' }).waitFor();
    await page.getByRole('button', { name: 'Show changes' }).click();
    const changes = page.getByRole('list', { name: 'Changes of the records' });
    await changes.waitFor();

    expect(await changes.getByText(/Status: .* → /).count()).toBeGreaterThan(0);
    expect(await findingsInAllLooks(page)).toEqual([]);
  });

  it('say that the service behind a step is not in use, instead of naming its address', async () => {
    const { page } = tab();
    await orders().send('POST', '/place-order', { orderId: 'P-1' });
    const error = { code: 'NOT_FOUND', message: 'Not found: POST /payment.', requestId: 'r-1' };
    await page.route('**/payment?*', (route) => route.fulfill({ status: 404, json: { error } }));
    await goInside(page, '/operations/orders/P-1');
    await page.getByRole('button', { name: 'Record payment' }).click();
    const refused = page.getByRole('alert').filter({ hasText: 'The payment was not recorded' });
    await refused.getByText('The service that handles the request is not in use').waitFor();

    await page.unroute('**/payment?*');
    await orders().send('POST', '/payment?orderId=P-1');
    await page.getByText('The payment arrived.').waitFor();
    await refused.waitFor({ state: 'detached' });
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    tab().forgetErrors();
  });

  it('show the workflow of an order that is under way', async () => {
    const { page } = tab();
    await page.getByRole('link', { name: 'Technical', exact: true }).click();
    await page.getByRole('list', { name: 'Timeline' }).waitFor();

    expect(await findingsInAllLooks(page)).toEqual([]);
  });

  it('say that a run or a page of the list is not there, and lead to what is', async () => {
    const { page } = tab();
    await goInside(page, '/operations/workflows/order-R-1?run=00000000-0000-4000-8000-000000000000');
    await page.getByText('Temporal has no run with this id').waitFor();
    await page.getByRole('link', { name: 'Show the newest run' }).click();
    await page.getByRole('button', { name: 'Actions' }).waitFor();

    await goInside(page, '/operations/workflows?after=old');
    await page.getByRole('button', { name: 'Go to the first page' }).click();
    await page.getByRole('link', { name: 'order-R-1' }).first().waitFor();
    tab().forgetErrors();
  });

  it('read a long history by page, and say so', async () => {
    const { page } = tab();
    await orders().startLongWorkflow('long-1', 1_050);
    await goInside(page, '/operations/workflows/long-1?view=history&page=20');
    await page.getByText('The first 1000 of 1054 events are shown.').waitFor();
    await page.getByRole('button', { name: 'Show more events' }).click();

    await page.getByText('1054 events, page 20 of 22').first().waitFor();
    expect(await page.getByText('A long history').count()).toBe(0);
  });

  it('send a signal that the workflow knows, and cancel it in its own way', async () => {
    const { page } = tab();
    await orders().startOrder('S-1', true);
    await goInside(page, '/operations/workflows/consignment-S-1');
    await page.getByRole('heading', { level: 1, name: 'consignment-S-1' }).waitFor();
    await choose('Signal …');
    const signals = page.getByRole('dialog').getByRole('option');
    await signals.first().waitFor({ state: 'attached' });
    expect(await signals.allInnerTexts()).toEqual(['shipmentDispatched', 'customerConfirmed']);
    await ask('Send a signal', 'Send the signal', 'the scanner was broken');
    await page.getByRole('list', { name: 'Timeline' }).getByText('shipmentDispatched').waitFor();

    // Soon after its dispatch a consignment waits for the receipt, and can no longer be cancelled.
    await orders().startOrder('S-2', true);
    await goInside(page, '/operations/workflows/consignment-S-2');
    await page.getByRole('heading', { level: 1, name: 'consignment-S-2' }).waitFor();
    await choose('Cancel …');
    await ask('Cancel the workflow?', 'Cancel the workflow', 'lost');
    await page.getByText('Cancelled').first().waitFor();
  });

  it('send a signal with arguments to a workflow of others, whatever its id, and say what is wrong with them', async () => {
    const { page } = tab();
    await orders().startLongWorkflow('50%2F50 / ü?#', 1);
    await goInside(page, '/operations/workflows?type=foreignWorkflow');
    await page.getByRole('link', { name: '50%2F50 / ü?#' }).click();
    await page.getByRole('heading', { level: 1, name: '50%2F50 / ü?#' }).waitFor();
    await choose('Signal …');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Signal' }).fill('postpone');
    await dialog.getByLabel('Arguments').fill('{"days":2}');
    await dialog.getByLabel('Reason').fill('holiday');
    await dialog.getByRole('button', { name: 'Send the signal' }).click();
    await dialog.getByText('Write a list in JSON').waitFor();
    await dialog.locator('textarea:focus').waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);

    await dialog.getByLabel('Arguments').fill('[{"days":2},"ü"]');
    const sent = page.waitForRequest(/\/signal$/);
    await dialog.getByRole('button', { name: 'Send the signal' }).click();
    expect((await sent).postDataJSON()).toMatchObject({ signal: 'postpone', args: [{ days: 2 }, 'ü'] });
    await page.getByRole('list', { name: 'Timeline' }).getByText('postpone').waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: '50%2F50 / ü?#' }).waitFor();
  });

  it('say of an order that Temporal has removed that it was placed, and show what is left of it', async () => {
    const { page } = tab();
    await orders().startOrder('G-1', true);
    await orders().removeWorkflow('order-G-1');
    await goInside(page, '/operations/orders/G-1');
    await page.getByText('Temporal no longer keeps this order').waitFor();
    await page.getByRole('link', { name: 'Order confirmation · not sent' }).waitFor();

    expect(await page.getByRole('button', { name: 'Place order G-1' }).count()).toBe(0);
    tab().forgetErrors();
  });

  it('list workflows by id, type and state, with the address as the only state', async () => {
    const { page } = tab();
    await goInside(page, '/operations/workflows?type=placeOrder');
    await page.getByRole('link', { name: 'order-A-1' }).waitFor();
    expect(await findingsInAllLooks(page)).toEqual([]);
    await page.getByLabel('Id begins with').fill('order-A');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 1').waitFor();
    await page.getByLabel('Status').selectOption('Failed');
    await page.getByText('No results').waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);

    await page.goBack();
    await page.getByText('1 of 1').waitFor();
    expect(await page.getByLabel('Id begins with').inputValue()).toBe('order-A');
    await page.reload();
    await page.getByRole('link', { name: 'order-A-1' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'consignment-A-1' }).waitFor();
  });

  it('place an order that was never placed', async () => {
    const { page } = tab();
    await goInside(page, '/operations/orders/nobody');
    await page.getByRole('button', { name: 'Place order nobody' }).waitFor();

    expect(await findingsInOppositeLooks(page)).toEqual([]);
    tab().forgetErrors();
  });

  it('refresh by themselves until one pauses them', async () => {
    const { page, open, requests } = tab();
    await page.clock.install();
    await open('/operations/workflows');
    await Promise.all([page.waitForRequest(/\/workflows\?/), page.clock.runFor(5_500)]);

    await page.getByRole('switch', { name: 'Live' }).click();
    await page.waitForURL(/live=off/);
    const before = requests.length;
    await page.clock.runFor(60_000);
    expect(requests.length).toBe(before);
    await page.clock.resume();
  });

  /** Fills in the dialog that is open and waits until it has closed. */
  async function ask(title: string, confirm: string, reason: string): Promise<void> {
    const dialog = tab().page.getByRole('dialog', { name: title });
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  /** Chooses what is done to the workflow, in the menu of its page or of its order's. */
  async function choose(action: string): Promise<void> {
    await tab().page.getByRole('button', { name: 'Actions' }).click();
    await tab().page.getByRole('menuitem', { name: action }).click();
  }
}
