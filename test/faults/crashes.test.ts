import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { createFaultHome, type FaultHome, type Platform } from './support/home';
import { insist } from './support/http';
import { drive, orderIds, outcomeOf, statusOf, type Addresses } from './support/orders';
import { expectedRows, refuseRefunds, storedRows } from './support/rows';

jest.setTimeout(150_000);

let home: FaultHome;
let platform: Platform;

beforeAll(async () => {
  home = await createFaultHome();
  platform = await home.up();
  await refuseRefunds(home.running().databaseUrl);
});

afterAll(() => home.remove());

describe('orders under way', () => {
  it('all end as they should, each row once, while the host is killed every few seconds', async () => {
    const orders = orderIds('host', 100);
    const driven = driveAll(orders);

    for (let kills = 0; kills < 5; kills += 1) {
      await delay(3_000);
      process.kill(home.running().host?.pid ?? NaN, 'SIGKILL');
      await untilReady();
    }

    expect(await driven).toEqual(expectedStatuses(orders));
    expect(await rowsOf(orders)).toEqual(expectedRows(orders));
  });

  it('all end as they should while Temporal is killed', async () => {
    const orders = orderIds('temporal', 18);
    const driven = driveAll(orders);

    for (let kills = 0; kills < 2; kills += 1) {
      await delay(3_000);
      await killServer('temporal');
    }

    expect(await driven).toEqual(expectedStatuses(orders));
    expect(await rowsOf(orders)).toEqual(expectedRows(orders));
  });

  it('all end as they should while PostgreSQL is killed', async () => {
    const orders = orderIds('postgres', 18);
    const driven = driveAll(orders);

    for (let kills = 0; kills < 2; kills += 1) {
      await delay(3_000);
      await killServer('postgres');
    }

    expect(await driven).toEqual(expectedStatuses(orders));
    expect(await rowsOf(orders)).toEqual(expectedRows(orders));
  });

  it('all end as they should when the outer process is killed and started again', async () => {
    const orders = orderIds('outer', 12);
    const { address } = platform;
    const driven = driveAll(orders);
    await delay(4_000);

    await platform.kill();
    platform = await home.up({ environment: { GANTRY_PORT: new URL(address).port } });

    expect(await driven).toEqual(expectedStatuses(orders));
    expect(await rowsOf(orders)).toEqual(expectedRows(orders));
  });
});

async function driveAll(orders: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { address } = platform;
  const addresses: Addresses = { order: address, payment: address, consignment: address, ops: address };
  const ends = await Promise.all(orders.map(async (order) => [order, await drive(addresses, order)] as const));
  return Object.fromEntries(ends);
}

function expectedStatuses(orders: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(orders.map((order) => [order, statusOf[outcomeOf(order)]]));
}

function rowsOf(orders: readonly string[]) {
  return storedRows(home.running().databaseUrl, orders);
}

async function untilReady(): Promise<void> {
  await insist('GET', `${platform.address}/readyz`, { until: ({ status }) => status === 200 });
}

async function killServer(server: 'postgres' | 'temporal'): Promise<void> {
  const pid = home.serverPid(server);
  process.kill(pid, 'SIGKILL');
  await eventually(() => home.serverPid(server) !== pid, 30_000);
}
