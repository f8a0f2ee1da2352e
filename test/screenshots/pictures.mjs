/** Of a platform without content and orders. */
export const emptyPictures = [
  { name: 'start-empty', path: '/admin/' },
  { name: 'list-empty', path: '/admin/content/product' },
];

/** Of a platform with the sample content: name of the file, address, how it looks, and what is done before. */
export const pictures = [
  { name: 'start', path: '/admin/' },
  { name: 'start-dark', path: '/admin/', dark: true },
  { name: 'start-narrow', path: '/admin/', look: 'narrow' },
  { name: 'list', path: '/admin/content/product' },
  { name: 'list-dark', path: '/admin/content/product', dark: true },
  { name: 'list-narrow', path: '/admin/content/product', look: 'narrow' },
  {
    name: 'list-filtered',
    path: '/admin/content/product?f=name.CONTAINS.series&f=price.MORE_THAN.20&sort=-price',
  },
  { name: 'list-selected', path: '/admin/content/product', prepare: selectThree },
  { name: 'item', path: ({ product }) => `/admin/content/product/${product}` },
  { name: 'item-dark', path: ({ article }) => `/admin/content/article/${article}`, dark: true },
  { name: 'item-narrow', path: ({ product }) => `/admin/content/product/${product}`, look: 'narrow' },
  { name: 'item-image', path: ({ article }) => `/admin/content/article/${article}` },
  { name: 'item-references', path: ({ trending }) => `/admin/content/trendingarticlecomponent/${trending}` },
  { name: 'new-item-problems', path: '/admin/content/product/new', prepare: createWithProblems },
  { name: 'reference-picker', path: '/admin/content/product/new', prepare: openPicker },
  { name: 'conflict', path: ({ garden }) => `/admin/content/catalog/${garden}`, prepare: meetConflict },
  { name: 'delete', path: '/admin/content/catalog', prepare: askToDelete },
  { name: 'import', path: '/admin/content/article/import' },
  { name: 'command-palette', path: '/admin/', prepare: openPalette },
  { name: 'plugins', path: '/admin/plugins' },
  { name: 'plugins-check', path: '/admin/plugins?plugin=recipes', prepare: checkPlugin },
  { name: 'plugins-narrow', path: '/admin/plugins', look: 'narrow' },
  { name: 'orders', path: '/admin/operations/orders' },
  { name: 'orders-attention', path: '/admin/operations/orders?group=attention' },
  { name: 'orders-reset', path: '/admin/operations/orders?group=attention', prepare: askToReset },
  { name: 'order', path: '/admin/operations/orders/A-1002' },
  { name: 'order-failed', path: '/admin/operations/orders/A-1005', dark: true },
  { name: 'order-technical', path: '/admin/operations/orders/A-1002?tab=technical' },
  { name: 'order-narrow', path: '/admin/operations/orders/A-1003', look: 'narrow' },
  { name: 'workflows', path: '/admin/operations/workflows' },
  { name: 'workflow', path: '/admin/operations/workflows/consignment-A-1002' },
  { name: 'workflow-dark', path: '/admin/operations/workflows/consignment-A-1001', dark: true },
  { name: 'workflow-history', path: '/admin/operations/orders/A-1001?tab=technical&view=history#event-5' },
  { name: 'api', path: '/api/docs' },
];

async function selectThree(page) {
  const boxes = page.getByRole('rowgroup').getByRole('checkbox');
  for (const index of [1, 2, 3]) await boxes.nth(index).check();
}

async function createWithProblems(page) {
  await page.getByLabel('Price').fill('much');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Code is required.').waitFor();
}

/** Of a platform with webhooks, one of which fails. */
export const webhookPictures = [
  { name: 'webhooks', path: '/admin/webhooks' },
  { name: 'webhooks-narrow', path: '/admin/webhooks', look: 'narrow' },
  { name: 'webhook', path: ({ search }) => `/admin/webhooks/${search}` },
  { name: 'webhook-attempt', path: ({ search }) => `/admin/webhooks/${search}`, prepare: openAttempt },
  { name: 'webhook-failing', path: ({ newsletter }) => `/admin/webhooks/${newsletter}`, dark: true },
  { name: 'webhook-form', path: ({ search }) => `/admin/webhooks/${search}/edit` },
  { name: 'webhook-test', path: ({ newsletter }) => `/admin/webhooks/${newsletter}`, prepare: sendTest },
];

async function openAttempt(page) {
  await page
    .getByRole('button', { name: /^Details/ })
    .first()
    .click();
  await page.getByRole('dialog').getByText('specversion').waitFor();
}

async function sendTest(page) {
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByRole('dialog').getByText('Status 503').waitFor();
}

async function openPicker(page) {
  await page.getByRole('combobox', { name: 'Catalog', exact: true }).pressSequentially('ga');
  await page.getByRole('option').first().waitFor();
}

async function meetConflict(page, { address, ids }) {
  await page.getByLabel('Name').fill('Garden and park');
  const change = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"name":"The garden"}' };
  await fetch(`${address}/api/cms/items/catalog/${ids.garden}`, change);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog', { name: 'This item was changed by someone else' }).getByText('The garden').waitFor();
}

async function askToDelete(page) {
  await page.getByRole('button', { name: /^More actions for (The )?garden/i }).click();
  await page.getByRole('menuitem', { name: 'Delete …' }).click();
  await page.getByText('Other items refer to it').waitFor();
}

async function openPalette(page) {
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Go to' }).fill('art');
}

async function checkPlugin(page) {
  await page.getByRole('button', { name: 'Check Recipes' }).click();
  await page
    .getByRole('dialog', { name: 'Check of Recipes' })
    .getByText('All checks passed.')
    .waitFor({ timeout: 60_000 });
}

async function askToReset(page) {
  await page.getByRole('checkbox', { name: 'Select all orders of this page' }).check();
  await page.getByRole('button', { name: /^Reset \(/ }).click();
  await page.getByText('Checking …').first().waitFor({ state: 'detached' });
}
