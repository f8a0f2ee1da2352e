import { createSampleContent } from './sample-content.mjs';
import { createSampleOrders } from './sample-orders.mjs';
import { createSamplePeople } from './sample-people.mjs';
import { createSampleWebhooks } from './sample-webhooks.mjs';

/**
 * Pictures, in groups that follow one another on one platform. `create` makes what the pages of its group show and resolves
 * with it, given what those before it made; a page has a name, an address, and what is done before pictures are taken. `others` are pages without a picture, which are
 * opened for the size of their styles.
 */
export const groups = [
  {
    title: 'an empty platform',
    create: () => Promise.resolve({}),
    pages: [{ name: 'start-empty', path: '/admin/' }],
  },
  {
    // From then on, the platform requires sign-in.
    title: 'people',
    create: createSamplePeople,
    pages: [{ name: 'sign-in', path: '/admin/' }],
  },
  {
    title: 'content, orders and webhooks',
    async create(album, { secret, senders }) {
      album.clock.at('2026-03-02T07:45:00Z');
      await album.signIn(secret);
      const making = { ...album, senders };
      const webhooks = await createSampleWebhooks(making);
      await createSampleOrders(making);
      const content = await createSampleContent(making, webhooks.search);
      return { ...content, ...webhooks };
    },
    pages: [
      { name: 'start', path: '/admin/' },
      { name: 'list', path: '/admin/content/product' },
      {
        name: 'list-selected',
        path: '/admin/content/product?f=name.CONTAINS.series&f=price.MORE_THAN.20&sort=-price',
        prepare: selectThree,
      },
      { name: 'item', path: ({ product }) => `/admin/content/product/${product}` },
      { name: 'item-article', path: ({ article }) => `/admin/content/article/${article}` },
      { name: 'new-item-problems', path: '/admin/content/product/new', prepare: createWithProblems },
      { name: 'history', path: ({ garden }) => `/admin/content/catalog/${garden}/history` },
      { name: 'delete', path: '/admin/content/catalog', prepare: askToDelete },
      { name: 'import', path: '/admin/content/article/import' },
      { name: 'command-palette', path: '/admin/', prepare: openPalette },
      { name: 'orders', path: '/admin/operations/orders' },
      { name: 'order', path: '/admin/operations/orders/A-1006' },
      { name: 'order-failed', path: '/admin/operations/orders/A-1009' },
      { name: 'workflow', path: '/admin/operations/workflows/consignment-A-1006' },
      { name: 'plugins', path: '/admin/plugins' },
      { name: 'webhooks', path: '/admin/webhooks' },
      { name: 'webhook', path: ({ search }) => `/admin/webhooks/${search}` },
      { name: 'people', path: '/admin/users' },
      { name: 'role', path: '/admin/roles/garden-editor' },
      { name: 'account', path: '/admin/account' },
    ],
    others: [
      { name: 'deleted', path: '/admin/content/product/deleted' },
      { name: 'comparison', path: ({ garden }) => `/admin/content/catalog/${garden}/history?from=1&to=2` },
      { name: 'order-technical', path: '/admin/operations/orders/A-1006?tab=technical' },
      { name: 'workflows', path: '/admin/operations/workflows' },
      { name: 'workflow-history', path: '/admin/operations/workflows/consignment-A-1006?view=history' },
      { name: 'plugin', path: '/admin/plugins?plugin=articles' },
      { name: 'webhook-form', path: ({ search }) => `/admin/webhooks/${search}/edit` },
      { name: 'undelivered', path: ({ newsletter }) => `/admin/webhooks/${newsletter}?tab=undelivered` },
      { name: 'documentation', path: '/admin/documentation/admin' },
      { name: 'not-found', path: '/admin/nothing' },
      { name: 'roles', path: '/admin/roles' },
      { name: 'audit', path: '/admin/audit' },
      { name: 'security-events', path: '/admin/audit?tab=security' },
    ],
  },
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

async function askToDelete(page) {
  await page.getByRole('button', { name: /^More actions for garden/i }).click();
  await page.getByRole('menuitem', { name: 'Delete …' }).click();
  await page.getByText('Other items refer to it').waitFor();
}

async function openPalette(page) {
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Go to' }).fill('art');
}
