import { eventually } from '../support/eventually';
import { endsOf, expectedEnds } from './support/ends';
import { createFaultHome, type FaultHome } from './support/home';
import { makeOrders, type Outcome } from './support/outcomes';
import { createOutside, type Outside } from './support/outside';
import type { Platform } from './support/platform-process';
import { countRows, expectedRows, storedRows } from './support/rows';
import { size } from './support/size';

jest.setTimeout(420_000);

let home: FaultHome;
let platform: Platform;
let outside: Outside;

beforeAll(async () => {
  home = await createFaultHome();
  platform = await home.up();
  outside = createOutside(platform.address);
});

afterAll(async () => {
  outside.close();
  await home.remove();
});

const outcomes: readonly Outcome[] = ['confirmed', 'unconfirmed', 'undelivered', 'unpaid', 'cancelled'];

describe('orders under way end as they should, with each row once,', () => {
  it('although Temporal is killed again and again', async () => {
    await expectOrdersToOutlast('temporal', size.serverKilledAtRows, () => home.killServer('temporal'));
  });

  it('although PostgreSQL is killed again and again', async () => {
    await expectOrdersToOutlast('postgres', size.serverKilledAtRows, () => home.killServer('postgres'));
  });

  it('although everything is killed at once, and started again', async () => {
    await expectOrdersToOutlast('all', [size.allKilledAtRows], async () => {
      await home.killAll(platform);
      platform = await home.up({ environment: { GANTRY_PORT: new URL(platform.address).port } });
    });
  });
});

/** @param atRows how many rows are stored when it is killed; twenty orders leave 80 */
async function expectOrdersToOutlast(
  prefix: string,
  atRows: readonly number[],
  kill: () => Promise<void>,
): Promise<void> {
  const orders = makeOrders(prefix, size.orders, outcomes);
  const openAtKills: number[] = [];
  const killing = async (): Promise<void> => {
    for (const rows of atRows) {
      await eventually(async () => (await countRows(home.running().databaseUrl, prefix)) >= rows);
      openAtKills.push(await outside.countOpen());
      await kill();
      await outside.untilAnswered('/readyz');
    }
  };

  await Promise.all([outside.drive(orders), killing()]);

  expect(await endsOf(outside, orders)).toEqual(expectedEnds(orders));
  expect(await storedRows(home.running().databaseUrl, orders)).toEqual(expectedRows(orders));
  expect(Math.min(...openAtKills)).toBeGreaterThan(0);
}
