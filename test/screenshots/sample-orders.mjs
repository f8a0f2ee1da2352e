import { until } from './sample-requests.mjs';

/** When each order was placed. */
const placed = {
  'A-1001': '2026-02-19T08:12:05Z',
  'A-1002': '2026-02-20T09:40:31Z',
  'A-1003': '2026-02-20T13:22:48Z',
  'A-1004': '2026-02-24T10:05:12Z',
  'A-1005': '2026-02-25T15:51:09Z',
  'A-1006': '2026-02-26T14:05:20Z',
  'A-1007': '2026-02-27T11:31:44Z',
  'A-1008': '2026-02-28T16:18:03Z',
  'A-1009': '2026-03-01T19:47:33Z',
  'A-1010': '2026-03-02T08:42:06Z',
  'A-1011': '2026-03-02T08:51:38Z',
  'A-1012': '2026-03-02T08:59:22Z',
};
const delivered = ['A-1001', 'A-1002', 'A-1003', 'A-1005', 'A-1008'];

/** How many orders were placed on a day, such as 2026-03-02. */
export function placedOn(day) {
  return Object.values(placed).filter((time) => time.startsWith(day)).length;
}

/**
 * Orders in all states: delivered, cancelled, not delivered and refunded, one that was paid and lost its consignment, one that failed
 * before its payment, two that wait for their dispatch and one that waits for its payment. They end in the order of their ids.
 */
export async function createSampleOrders({ clock, senders }) {
  const { shop, tomas } = senders;
  await until(async () => (await tomas.status('GET', '/workflows')) === 200);
  const [earlier, today] = [Object.keys(placed).slice(0, 9), Object.keys(placed).slice(9)];
  for (const id of earlier) await place(clock, shop, id);
  clock.at('2026-02-25T15:51:40Z');
  for (const id of delivered) await pay(shop, id);
  for (const id of delivered) await dispatch(tomas, id, true);
  for (const id of earlier) await (endings[id] ?? confirm)(clock, senders, id);
  for (const [index, id] of today.entries()) {
    await place(clock, shop, id);
    if (index === 2) break;
    clock.at(laterThan(placed[id], 35_000 + index * 9_000));
    await pay(shop, id);
    await untilWaiting(tomas, id);
  }
  clock.at('2026-03-01T19:48:10Z');
  // The service finds out about a workflow that was terminated by itself, every half minute.
  await until(async () => (await statusOf(shop, 'A-1009')) === 'FAILED');
}

/** How orders end that the customer does not confirm. */
const endings = {
  async 'A-1004'(clock, { tomas, shop }, id) {
    clock.at('2026-02-24T10:06:00Z');
    await tomas.send('POST', `/workflows/order-${id}/cancel`, because('The customer changed their mind'));
    await until(async () => (await statusOf(shop, id)) === 'CANCELED');
  },
  'A-1006': refund,
  async 'A-1007'(clock, { tomas, shop }, id) {
    clock.at('2026-02-27T11:32:20Z');
    await pay(shop, id);
    await untilWaiting(tomas, id);
    clock.at('2026-02-27T11:41:02Z');
    await tomas.send('POST', `/workflows/consignment-${id}/terminate`, because('The carrier lost the parcel'));
    await until(async () => (await statusOf(shop, id)) === 'NEEDS_DECISION');
  },
  async 'A-1009'(clock, { tomas }, id) {
    clock.at('2026-03-01T19:48:10Z');
    await tomas.send('POST', `/workflows/order-${id}/terminate`, because('The customer ordered twice'));
  },
};

async function place(clock, shop, id) {
  clock.at(placed[id]);
  await shop.send('POST', '/place-order', { orderId: id });
  await until(async () => (await stepOf(shop, id)) === 'ORDER_PLACED');
}

const pay = (shop, id) => shop.send('POST', `/payment?orderId=${id}`);

async function confirm(clock, { tomas, shop }, id) {
  clock.at(laterThan(placed[id], 1_150_000));
  await until(async () => (await tomas.status('POST', `/consignments/${id}/confirmed`)) < 300);
  await until(async () => (await statusOf(shop, id)) === 'DELIVERED');
}

/** Resolves when the consignment of an order waits for its dispatch. */
async function untilWaiting(tomas, id) {
  await until(async () => (await stepOf(tomas, id)) === 'WAITING_FOR_CHILD');
  await untilEvents(tomas, id, 'WORKFLOW_TASK_COMPLETED');
}

/** Resolves when the history of the consignment of an order has events of a type. */
async function untilEvents(tomas, id, type) {
  const path = `/workflows/consignment-${id}`;
  await until(async () => (await tomas.status('GET', path)) === 200);
  await until(async () => JSON.stringify(await tomas.send('GET', `${path}/history`)).includes(type));
}

/** Paid, dispatched and not delivered. */
async function refund(clock, { tomas, shop }, id) {
  clock.at('2026-02-26T14:06:02Z');
  await pay(shop, id);
  await untilWaiting(tomas, id);
  clock.at('2026-02-26T14:18:40Z');
  await dispatch(tomas, id, false);
  await untilEvents(tomas, id, 'TIMER_STARTED');
  // The journey takes longer than this in the run, see platform.mjs.
  clock.at('2026-02-26T14:20:40Z');
  await until(async () => (await statusOf(shop, id)) === 'REFUNDED');
}

/** @param isDelivered what the carrier says at the end of the journey */
async function dispatch(tomas, id, isDelivered) {
  await tomas.send('PUT', `/consignments/${id}/delivery`, { delivered: isDelivered });
  await until(async () => (await tomas.status('POST', `/consignments/${id}/dispatched`)) < 300);
}

const because = (reason) => ({ reason, requestedBy: 'Tomas Okafor' });
const stepOf = async ({ send }, id) => (await send('GET', `/orders/${id}`)).step;
const statusOf = async ({ send }, id) => (await send('GET', `/orders/${id}`)).status;
const laterThan = (time, milliseconds) => new Date(Date.parse(time) + milliseconds).toISOString();
