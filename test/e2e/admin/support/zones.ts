import type { CDPSession, Page } from 'playwright-core';
import type { AdminTab } from './open-pages';

/** Gives the tab another time zone. What a page has made of the zone before stays until it is loaded again. */
export function useZones(tab: () => AdminTab): (zone: string) => Promise<void> {
  const sessions = new WeakMap<Page, Promise<CDPSession>>();
  return async (timezoneId) => {
    const { page } = tab();
    const session = sessions.get(page) ?? page.context().newCDPSession(page);
    sessions.set(page, session);
    await (await session).send('Emulation.setTimezoneOverride', { timezoneId });
  };
}
