import type { AdminTab } from '../support/open-pages';

/** On a platform without orders and workflows. */
export function testEmptyPages(tab: () => AdminTab): void {
  afterEach(() => {
    expect(tab().errors).toEqual([]);
    expect(tab().outside).toEqual([]);
  });

  it('say that there is no order and no workflow yet, and what to do', async () => {
    const { page, open } = tab();
    await open('/operations/workflows');
    await page.getByText('No workflow has been started yet').waitFor();
    await page.getByRole('link', { name: 'Place an order' }).click();

    await page.getByText('No orders yet').waitFor();
  });

  it('say what is wrong with an order id, and keep it', async () => {
    const { page } = tab();
    await page.getByRole('button', { name: 'Place order' }).press('Enter');
    const orderId = page.getByRole('dialog', { name: 'Place an order' }).getByLabel('Order id');
    await orderId.fill('no blanks');
    await page.keyboard.press('Enter');

    await page.getByText('Enter 1 to 64 letters').waitFor();
    expect(await orderId.inputValue()).toBe('no blanks');
    await orderId.fill('..');
    await page.keyboard.press('Enter');
    await page.getByText('not only dots').waitFor();
  });
}
