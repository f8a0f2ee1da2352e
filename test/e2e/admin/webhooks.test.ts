import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Client } from 'pg';
import type { Page } from 'playwright-core';
import { Webhook as Verifier } from 'standardwebhooks';
import { eventually } from '../../support/eventually';
import { startLocalTemporal } from '../../support/local-temporal';
import { startTestHost, type TestHost } from '../../support/platform';
import { send } from '../../support/rest-client';
import { startReceiver, type WebhookReceiver } from '../../webhooks/support/webhook-receiver';
import { findingsInAllLooks, findingsInOppositeLooks } from './support/all-looks';
import { adminPlugins, create } from './support/content';
import { accessibilityFindings, useAdminTab } from './support/open-pages';

let temporal: TestWorkflowEnvironment;
let host: TestHost;
let receiver: WebhookReceiver;
let number = 0;

beforeAll(async () => {
  temporal = await startLocalTemporal();
  host = await startTestHost({
    plugins: [...adminPlugins, 'test/webhooks/fixtures/follower'],
    environment: { TEMPORAL_ADDRESS: temporal.address, GANTRY_WEBHOOK_PRIVATE_ADDRESSES: 'allow' },
  });
  receiver = await startReceiver();
});
afterAll(async () => {
  await host.stop();
  await receiver.close();
  await temporal.teardown();
});

describe('the pages of webhooks', () => {
  const tab = useAdminTab(() => host.address);
  beforeEach(() => {
    tab().forgetErrors();
    receiver.answer((response) => void response.writeHead(204).end());
  });
  afterEach(() => expect(tab().errors).toEqual([]));

  it('create one with types, actions, a filter and header fields, and show its secret once', async () => {
    const { page, open } = tab();
    await open('/webhooks');
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    await page.getByRole('link', { name: 'New webhook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Search index');
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('combobox', { name: 'Types' }).fill('cata');
    await page.getByRole('option', { name: 'Catalogs' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Created' }).check();
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await page.getByRole('combobox', { name: 'Field' }).fill('name');
    await page.getByLabel('Value', { exact: true }).fill('Wanted');
    await page.getByRole('button', { name: 'Add a header field' }).click();
    await page.getByLabel('Name of the field').fill('X-Key');
    await page.getByLabel('Value of the field').fill('k1');
    await page.keyboard.press('Escape');
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create', exact: true }).click();

    const dialog = page.getByRole('dialog', { name: 'The webhook is created' });
    const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? '';
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: 'Search index' }).waitFor();
    await page.getByText('Name is Wanted').waitFor();
    expect(await page.content()).not.toContain(secret);

    await createCatalog('Unwanted');
    await createCatalog('Wanted');
    const { headers, body, event } = await receiver.first();
    expect([event.data.values.name, headers['x-key']]).toEqual(['Wanted', 'k1']);
    expect(() => new Verifier(secret).verify(body, headers as Record<string, string>)).not.toThrow();
  });

  it('show attempts with what was sent and answered, and send a test', async () => {
    const { page, go } = tab();
    await go(`/webhooks/${await idOf('Search index')}`);
    const attempts = page.getByRole('region', { name: 'Attempts' });
    await attempts.getByText('204', { exact: true }).first().waitFor();
    await attempts.getByRole('link', { name: /^Wanted/ }).waitFor();
    // Beside the details, nothing is under the buttons at the end.
    const hidden = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.attempts'))`;
    expect(await page.evaluate<number>(hidden)).toBe(0);
    expect(await findingsInAllLooks(page)).toEqual([]);
    await attempts.getByRole('button', { name: /^Details/ }).click();
    const dialog = page.getByRole('dialog', { name: /^Attempt 1 for / });
    await dialog.getByText('"specversion": "1.0"').waitFor();
    await dialog.getByText('The answer was empty.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');

    receiver.answer((response) => void response.writeHead(500).end('The index is closed.'));
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The receiver did not accept the event').waitFor();
    await page.getByRole('dialog').getByText('The index is closed.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    receiver.answer((response) => void response.writeHead(204).end());
    await page.getByRole('button', { name: 'Send another event' }).click();
    await page.getByText('The receiver accepted the event').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  });

  it('edit one, keeping the values of header fields, and name what is wrong at its field', async () => {
    const { page } = tab();
    await choose(page, 'Edit');
    await page.getByLabel('Name of the field').waitFor();
    await page.getByLabel('URL').fill('ftp://example.com/');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must be an address that begins with https://').waitFor();
    expect(await page.locator(':focus').getAttribute('inputmode')).toBe('url');
    tab().forgetErrors();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Remove condition 1' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('The changes of this webhook are not saved').waitFor();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByText('X-Key (values are hidden)').waitFor();
    expect(await page.getByText('name is Wanted').count()).toBe(0);
    const before = receiver.received.length;
    await createCatalog('Anything');
    await receiver.untilReceived(before + 1);
    expect(receiver.received.at(-1)?.headers['x-key']).toBe('k1');
  });

  it('pause, resume, deliver again and make a new secret', async () => {
    const { page } = tab();
    await choose(page, 'Pause');
    await page.getByText('Nothing is delivered.').waitFor();
    const before = receiver.received.length;
    await createCatalog('While paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await receiver.untilReceived(before + 1);

    await choose(page, 'Replay …');
    const dialog = page.getByRole('dialog', { name: 'Replay' });
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await dialog.getByText('Enter a date and a time.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByLabel('Time', { exact: true }).fill('2020-01-31T00:00');
    const { length } = receiver.received;
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await receiver.untilReceived(length + 1);

    await choose(page, 'New secret …');
    const secrets = page.getByRole('dialog', { name: 'New secret' });
    await secrets.getByRole('button', { name: 'Create a new secret' }).click();
    await secrets.getByText(/^whsec_/).waitFor();
    await secrets.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Requests are signed with the earlier one, too').waitFor();
  });

  it('list undelivered changes, which are sent again or removed', async () => {
    const { page, go } = tab();
    const id = await idOf('Search index');
    await giveUp(id);
    await go(`/webhooks/${id}`);
    await page.getByRole('link', { name: /^Undelivered/ }).click();
    const list = page.getByRole('region', { name: 'Undelivered changes' });
    await list.getByText('Status 500.').first().waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    const before = receiver.received.length;
    await list
      .getByRole('button', { name: /^Retry (?!all)/ })
      .first()
      .click();
    await receiver.untilReceived(before + 1);
    await page.getByRole('button', { name: 'Remove all …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click();
    await page.getByRole('heading', { name: 'No undelivered changes' }).waitFor();
  });

  it('show one that fails on the start page, which leads to it, and one with a gap', async () => {
    const { page, go } = tab();
    const id = await idOf('Search index');
    receiver.answer((response) => void response.writeHead(503).end());
    for (let index = 0; index < 4; index += 1) await createCatalog(`Refused ${index}`);
    // The start page asks twice a minute.
    await eventually(async () => {
      const { parts } = (await send(host.address, '/readyz')).json.data;
      return parts.some(({ subscription }: { subscription?: string }) => subscription === id);
    });
    await go('/');
    await page.getByRole('link', { name: 'Webhook Search index' }).click();
    await page.getByText('All attempts fail').first().waitFor();
    await page.getByText(/^Since .*, the last time .*\. Changes wait/).waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    receiver.answer((response) => void response.writeHead(204).end());
    await page.getByRole('button', { name: 'Retry now' }).click();
    await eventually(async () => (await read(id)).failingSince === null);

    await sql('UPDATE gantry_subscription SET gap_since = now() WHERE name = $1', id);
    await go(`/webhooks/${id}`);
    await page.getByText('Changes are missing').waitFor();
    await page.getByRole('button', { name: 'Dismiss the gap' }).click();
    await page.getByText('Changes are missing').waitFor({ state: 'detached' });
  });

  it('list subscriptions of plugins with what can be done with them', async () => {
    const { page, go } = tab();
    await goToWebhooks(page);
    const list = page.getByRole('region', { name: 'Subscriptions of plugins' });
    await list.getByRole('link', { name: 'follower/catalogs' }).click();
    await page.getByRole('heading', { level: 1, name: 'follower/catalogs' }).waitFor();
    await page.getByRole('region', { name: 'Attempts' }).getByText('Delivered').first().waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    await page
      .getByRole('button', { name: /^Details/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText('"type": "catalog"').waitFor();
    await page.keyboard.press('Escape');
    await choose(page, 'Pause');
    await page.getByText('Nothing is delivered.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Nothing is delivered.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Replay …' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /^Delete/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await go('/webhooks/follower/nothing');
    await page.getByRole('heading', { name: 'Subscription not found' }).waitFor();
    tab().forgetErrors();
  });

  it('delete one after a question', async () => {
    const { page } = tab();
    await goToWebhooks(page);
    await page.getByRole('link', { name: 'Search index', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Search index' }).waitFor();
    await choose(page, 'Delete …');
    const dialog = page.getByRole('dialog', { name: 'Delete the webhook Search index?' });
    await dialog.getByText(receiver.url, { exact: false }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  });
});

/** An entry of the menu of the page. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
}

async function goToWebhooks(page: Page): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Main' });
  if (await navigation.getByRole('link', { name: 'Settings' }).isVisible()) {
    await navigation.getByRole('link', { name: 'Settings' }).click();
  }
  await navigation.getByRole('link', { name: 'Webhooks', exact: true }).click();
}

async function createCatalog(name: string): Promise<void> {
  number += 1;
  await create(host.address, 'catalog', { code: `WP${number}`, name });
}

async function read(id: string) {
  return (await send(host.address, `/api/platform/webhooks/${id}`)).json.data;
}

async function idOf(name: string): Promise<string> {
  const { json } = await send(host.address, '/api/platform/webhooks');
  return json.data.find((webhook: { name: string }) => webhook.name === name).id as string;
}

/** As if all attempts had failed for a day. */
async function giveUp(id: string): Promise<void> {
  await sql(
    `INSERT INTO gantry_undelivered_change (subscription_id, epoch, transaction_id, sequence, item, attempts, since, error)
     SELECT DISTINCT ON (d.sequence) d.subscription_id, d.epoch, d.transaction_id, d.sequence, d.item, 9, now() - interval '1 day', 'Status 500.'
     FROM gantry_delivery d JOIN gantry_subscription s ON s.id = d.subscription_id WHERE s.name = $1`,
    id,
  );
}

async function sql(statement: string, id: string): Promise<void> {
  const client = new Client({ connectionString: host.databaseUrl });
  await client.connect();
  try {
    await client.query(statement, [id]);
  } finally {
    await client.end();
  }
}
