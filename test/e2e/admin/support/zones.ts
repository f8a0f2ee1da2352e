import type { CDPSession } from 'playwright-core';
import type { AdminTab } from './open-pages';

/** Gives the tab another time zone. What a page has made of the zone before stays until it is loaded again. */
export function useZones(tab: () => AdminTab): (zone: string) => Promise<void> {
  let session: CDPSession | undefined;
  beforeAll(async () => {
    session = await tab().page.context().newCDPSession(tab().page);
  });
  return async (timezoneId) => void (await session?.send('Emulation.setTimezoneOverride', { timezoneId }));
}
