import { findingsInOppositeLooks } from '../support/all-looks';
import { goInside } from '../support/go-inside';
import type { AdminTab } from '../support/open-pages';
import { refreshUntil } from '../support/operations-page';
import type { OrdersPlatform } from '../support/orders-platform';

export function testOrderDecisions(orders: () => OrdersPlatform, tab: () => AdminTab): void {
  afterEach(() => {
    expect(tab().errors).toEqual([]);
    expect(tab().outside).toEqual([]);
  });

  it('list a paid order whose consignment was lost as one that needs a decision, and refund it', async () => {
    const { page, go } = tab();
    await orders().startOrder('D-1', true);
    await orders().send('POST', '/workflows/consignment-D-1/terminate', { reason: 'lost' });
    await goInside(page, '/operations/orders?group=attention');
    const undecided = page.getByRole('region', { name: 'Orders' });
    await refreshUntil(page, undecided.getByRole('link', { name: 'D-1' }));
    await undecided.getByRole('link', { name: 'D-1' }).click();
    const decision = page.getByRole('alert').filter({ hasText: 'The order needs a decision' });
    await choose('Deliver again …');
    const redelivery = page.getByRole('dialog', { name: 'Deliver the order again?' });
    await redelivery.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Refund …' }).click();
    const refund = page.getByRole('dialog', { name: 'Refund the order?' });
    expect(await findingsInOppositeLooks(tab().page)).toEqual([]);
    await refund.getByRole('button', { name: 'Refund the order' }).click();
    await page.getByText('Give the reason; it is stored in the history.').waitFor();
    await refund.getByLabel('Reason').fill('the parcel was lost');
    await refund.getByRole('button', { name: 'Refund the order' }).click();

    await page.getByText('Refunded', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'refunded' }).waitFor();
    expect(await decision.count()).toBe(0);
    await go('/operations/workflows/refund-D-1?view=history');
    await page.getByText('the parcel was lost').first().waitFor();
  });

  it('deliver such an order again, from its dispatch to the confirmed receipt', async () => {
    const { page } = tab();
    await loseConsignment('D-2');
    await choose('Deliver again …');
    await ask('Deliver the order again?', 'Deliver the order again', 'found again');
    await page.getByRole('status').filter({ hasText: 'A new consignment is being delivered.' }).waitFor();
    const step = (name: string) => page.locator(`[data-step="${name}"]`);
    await page.locator('[data-step="dispatch"][data-state="active"]').waitFor();
    expect(await page.getByText('The order has failed').count()).toBe(0);
    await step('dispatch').getByRole('button', { name: 'Dispatch' }).click();
    await step('confirmation').getByRole('button', { name: 'Confirm receipt' }).click();

    await page.getByText('Delivered', { exact: true }).waitFor();
    // As the redelivery has left them.
    for (const name of ['payment', 'dispatch', 'confirmation']) {
      await page.locator(`[data-step="${name}"][data-state="done"]`).waitFor();
    }
  });

  it('store that such an order was settled elsewhere', async () => {
    const { page } = tab();
    await loseConsignment('D-3');
    await choose('Settled elsewhere …');
    const dialog = page.getByRole('dialog', { name: 'Was the order settled elsewhere?' });
    await dialog.getByLabel('Outcome').selectOption('The order was delivered');
    await dialog.getByLabel('Reason').fill('the customer called');
    await dialog.getByRole('button', { name: 'Store the settlement' }).click();

    await page.getByText('Delivered', { exact: true }).waitFor();
  });

  /** Chooses a decision that is not the usual one. */
  async function choose(decision: string): Promise<void> {
    await tab().page.getByRole('button', { name: 'Other decisions' }).click();
    await tab().page.getByRole('menuitem', { name: decision }).click();
  }

  /** Fills in the dialog that is open and waits until it has closed. */
  async function ask(title: string, confirm: string, reason: string): Promise<void> {
    const dialog = tab().page.getByRole('dialog', { name: title });
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  /** Opens the page of an order that needs a decision, because its consignment was terminated. */
  async function loseConsignment(orderId: string): Promise<void> {
    await orders().startOrder(orderId, true);
    await orders().send('POST', `/workflows/consignment-${orderId}/terminate`, { reason: 'lost' });
    await goInside(tab().page, `/operations/orders/${orderId}`);
    await tab().page.getByText('The order needs a decision').waitFor();
  }
}
