import { readFileSync } from 'node:fs';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { launchBrowser, type TestBrowser } from '../../../support/browser';
import { eventually } from '../../../support/eventually';

/** A tab on the admin pages that writes down what goes wrong in it. */
export interface AdminTab {
  readonly page: Page;
  /** Opens a path below /admin and waits until nothing is asked for any more. */
  open(path: string): Promise<void>;
  /**
   * Goes to a path below /admin inside the pages, as a link does, which takes about a quarter of the processor time of `open`.
   * All data is read again, messages are gone, and what is unsaved is given up.
   */
  go(path: string): Promise<void>;
  /** Console errors, uncaught errors, and what the content security policy refused. */
  readonly errors: readonly string[];
  /** Requests to the platform's endpoints since the last `open` or `go`, as `POST /api/…`. */
  readonly requests: readonly string[];
  /** Requests to anywhere but the platform. */
  readonly outside: readonly string[];
  /** Forgets the errors that a test provoked. */
  forgetErrors(): void;
}

/** The tab of a test file, known only while tests run. */
export interface AdminTabs {
  (): AdminTab;
  /** Closes it and opens a new one, without cookies and settings of the one before. */
  renew(): Promise<void>;
}

/**
 * The pages use everything that a browser gives; the address is known only while tests run.
 * @param zone the time zone of the browser; empty where a test sets it
 */
export function useAdminTab(address: () => string, zone = 'UTC'): AdminTabs {
  let browser: TestBrowser | undefined;
  let tab: AdminTab | undefined;
  beforeAll(async () => {
    browser = await launchBrowser(zone);
    tab = await openTab(browser.context, address());
  });
  afterAll(() => browser?.close());
  const current = (): AdminTab => {
    if (tab === undefined) throw new Error('The tab is only known while tests run.');
    return tab;
  };
  const renew = async (): Promise<void> => {
    const { page } = current();
    const context = page.context();
    const next = await openTab(context, address());
    const session = await context.newCDPSession(next.page);
    await page.close();
    await session.send('Storage.clearDataForOrigin', { origin: address(), storageTypes: 'all' });
    await session.detach();
    await context.clearCookies();
    tab = next;
  };
  return Object.assign(current, { renew });
}

/** Another tab of the same browser. */
export async function openTab(context: BrowserContext, address: string): Promise<AdminTab> {
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  interceptAtOnce(page, address);
  const errors: string[] = [];
  const requests: string[] = [];
  const outside: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('request', (request) => {
    if (isOutside(request, address)) outside.push(request.url());
    else if (isAsked(request)) requests.push(shownAs(request));
  });
  const open = async (path: string): Promise<void> => {
    requests.splice(0);
    await page.goto(`${address}/admin${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
  };
  return {
    page,
    errors,
    requests,
    outside,
    forgetErrors: () => void errors.splice(0),
    open,
    async go(path) {
      if (!page.url().startsWith(`${address}/admin/`)) return open(path);
      requests.splice(0);
      await page.evaluate(`(${readAgainAt})(${JSON.stringify(path)})`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  };
}

/** By the router and the query client of the pages, which the tree of React has; nothing else leads to them. */
const readAgainAt = `async (path) => {
  const root = document.getElementById('root');
  const container = Object.keys(root).find((name) => name.startsWith('__reactContainer$'));
  const find = (node, name) => node && (node.memoizedProps?.[name] ?? find(node.child, name) ?? find(node.sibling, name));
  const tree = root[container].stateNode.current;
  const [router, client] = [find(tree, 'router'), find(tree, 'client')];
  const messages = () => [...document.querySelectorAll('[aria-label="Messages"] [aria-label="Dismiss"]')];
  for (const message of messages()) message.click();
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  // By a page of nothing, so that no part keeps what it showed before.
  await router.navigate('/nowhere');
  for (let frame = 0; !location.pathname.endsWith('/nowhere') && frame < 200; frame += 1) {
    await drawn();
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Leave without saving')?.click();
  }
  await drawn();
  client.removeQueries({ type: 'inactive', queryKey: ['items'] });
  await client.invalidateQueries({ refetchType: 'none' });
  await router.navigate(path, { replace: true });
  do await drawn(); while (client.isFetching() + messages().length > 0);
  await drawn();
}`;

/**
 * A page that is open already learns a moment later that its requests are intercepted; on a busy machine it sends some past
 * a route that was set before. Afterwards `page.route` resolves when the page keeps to it.
 */
function interceptAtOnce(page: Page, address: string): void {
  const route = page.route.bind(page);
  page.route = async (...args) => {
    const handle = await route(...args);
    if (page.url().startsWith(address)) await waitUntilIntercepted(page, route);
    return handle;
  };
}

async function waitUntilIntercepted(page: Page, route: Page['route']): Promise<void> {
  await route(probe, (intercepted) => intercepted.fulfill({ status: 204 }));
  const isIntercepted = `fetch('${probePath}').then(({ status }) => status === 204)`;
  await eventually(async () => (await page.evaluate(isIntercepted)) === true, 'requests are intercepted');
  await page.unroute(probe);
}

/** Answered with 200 by the platform itself. */
const probePath = '/livez?intercepted';
const probe = `**${probePath.replace('?', '\\?')}`;

/** The path below /admin of the page that is open. */
export function pathOf(page: Page): string {
  return new URL(page.url()).pathname.replace(/^\/admin/, '');
}

/** Waits until the browser has loaded the image with an alternative text. */
export async function untilDrawn(page: Page, text: string): Promise<void> {
  const image = `[...document.querySelectorAll('main img')].find((one) => one.alt === ${JSON.stringify(text)})`;
  const isLoaded = `(${image})?.complete === true && (${image}).naturalWidth > 1`;
  await eventually(() => page.evaluate<boolean>(isLoaded), `the image "${text}" is drawn`);
}

/** From now on the page at an address is sent without initial data, and has to request it. */
export async function sendNoInitialData(page: Page, address: string): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/(id="initial-data">)[^<]*/, '$1{}');
    await route.fulfill({ response, body });
  });
}

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const everyRule = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
} as const;
/** The rules whose outcome depends on colours. */
const colourRules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const;

/**
 * The findings of WCAG 2.2 AA and of best practice on the page or a part of it, as `rule: elements`.
 * @param part a selector
 * @param rules `colours` for a page that was looked at with every rule in other colours just before
 */
export async function accessibilityFindings(
  page: Page,
  part = 'html',
  rules: 'all' | 'colours' = 'all',
): Promise<readonly string[]> {
  await finishTransitions(page);
  // Half a megabyte: once for each document is enough.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axeSource);
  // Style sheets and media are loaded again for two rules only: an experimental one, and one about sounds, of which there are none.
  const options = { runOnly: rules === 'all' ? everyRule : colourRules, resultTypes: ['violations'], preload: false };
  // Only the findings are sent: the results of all elements are some hundred kilobytes.
  const findings = `({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' '))`;
  return page.evaluate(`axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)}).then(${findings})`);
}

/**
 * A dialog that fades in has other colours until it has opened. Between its mount and its first frame no animation runs
 * yet; it is transparent by its style attribute then. Animations without end (loaders) are not waited for.
 */
async function finishTransitions(page: Page): Promise<void> {
  const isAtRest = `(() => {
    const running = document.getAnimations().some(
      // Others go with the scrolling of an element.
      (animation) => animation.timeline === document.timeline && animation.playState === 'running' && animation.effect.getComputedTiming().endTime !== Infinity,
    );
    const transparent = [...document.querySelectorAll('[style*="transition-property"]')].some(
      (element) => element.checkVisibility() && getComputedStyle(element).opacity !== '1',
    );
    return !running && !transparent;
  })()`;
  await eventually(async () => (await page.evaluate(isAtRest)) === true, 'transitions have ended');
}

function isOutside(request: Request, address: string): boolean {
  const url = request.url();
  return (
    !url.startsWith(`${address}/`) && !url.startsWith('data:') && !url.startsWith('blob:') && url !== 'about:blank'
  );
}

/** By a script, or by the browser ahead of it, which does not name the kind. */
function isAsked(request: Request): boolean {
  // The stream of changes, which a browser has once.
  if (request.resourceType() === 'eventsource' || request.url().endsWith(probePath)) return false;
  return (
    ['fetch', 'xhr'].includes(request.resourceType()) || /^\/(admin\/)?api\//.test(new URL(request.url()).pathname)
  );
}

function shownAs(request: Request): string {
  const { pathname, search } = new URL(request.url());
  return `${request.method()} ${pathname}${search}`;
}
