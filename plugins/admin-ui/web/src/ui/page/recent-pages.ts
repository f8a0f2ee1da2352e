/** A page that was open in this tab. */
export interface RecentPage {
  /** Below the base path, with its query. */
  readonly to: string;
  readonly title: string;
}

const storageKey = 'gantry.recentPages';
const maxPages = 8;

/** Notes that a page is open; the one that was open last comes first. */
export function noteRecentPage(page: RecentPage): void {
  const others = readRecentPages().filter(({ to }) => pathOf(to) !== pathOf(page.to));
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([page, ...others].slice(0, maxPages)));
  } catch {
    // A browser without storage remembers no pages.
  }
}

export function readRecentPages(): readonly RecentPage[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isPage) : [];
  } catch {
    return [];
  }
}

function isPage(value: unknown): value is RecentPage {
  const { to, title } = (value ?? {}) as Partial<RecentPage>;
  return typeof to === 'string' && to.startsWith('/') && typeof title === 'string';
}

function pathOf(to: string): string {
  return to.split('?')[0] ?? to;
}
