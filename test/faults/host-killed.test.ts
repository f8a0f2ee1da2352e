import { eventually } from '../support/eventually';
import { endsOf, expectedEnds } from './support/ends';
import { createFaultHome, type FaultHome } from './support/home';
import { makeOrders, outcomes } from './support/outcomes';
import { createOutside, type Outside } from './support/outside';
import type { Platform } from './support/platform-process';
import { countRows, expectedRows, refuseRefunds, storedRows } from './support/rows';
import { size } from './support/size';

jest.setTimeout(420_000);

let home: FaultHome;
let platform: Platform;
let outside: Outside;

beforeAll(async () => {
  home = await createFaultHome({ hastyRefunds: true });
  platform = await home.up();
  outside = createOutside(platform.address);
  await refuseRefunds(home.running().databaseUrl);
});

afterAll(async () => {
  outside.close();
  await home.remove();
});

describe('orders under way', () => {
  it('end as they should, with each row once, although the host is killed every few seconds', async () => {
    const orders = makeOrders('host', size.hostOrders, outcomes);

    const [, openAtKills] = await Promise.all([outside.drive(orders), killAgainAndAgain()]);

    expect(await endsOf(outside, orders)).toEqual(expectedEnds(orders));
    expect(await storedRows(home.running().databaseUrl, orders)).toEqual(expectedRows(orders));
    expect(Math.min(...openAtKills)).toBeGreaterThan(0);
    expect(platform.output()).not.toContain('is left out');
  });
});

/** @returns how many orders were open at each kill */
async function killAgainAndAgain(): Promise<readonly number[]> {
  const open: number[] = [];
  for (const rows of size.hostKilledAtRows) {
    await eventually(async () => (await countRows(home.running().databaseUrl, 'host')) >= rows);
    open.push(await outside.countOpen());
    await home.killHost();
    if (rows === size.hostKilledTwiceAtRows) {
      await outside.untilAnswered('/livez');
      await home.killHost();
    }
    await outside.untilAnswered('/readyz');
  }
  return open;
}
