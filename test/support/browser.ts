import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';

/**
 * The suggestions below the address bar are two pages that every window loads, and that nobody sees here: half the processor
 * time of a start.
 */
const unseenFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** Features that Playwright 1.65 disables. Chromium takes only the last --disable-features, so that the list has to be repeated. */
const featuresDisabledByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/**
 * No document lives long enough to earn back what V8 spends on its last stage of optimization, on collecting garbage early and
 * on sharing work between threads: a tenth of the processor time.
 */
const engineFlags = ['--no-turbofan', '--initial-heap-size=256', '--single-threaded'];

/** The browser reaches nothing but what a test opens: no sync, no updates, no network on its own account. */
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--js-flags=${engineFlags.join(' ')}`,
  `--disable-features=${[...featuresDisabledByPlaywright, ...unseenFeatures].join(',')}`,
];

/** A real Chromium with a separate profile. */
export interface TestBrowser {
  readonly context: BrowserContext;
  /** Ends the browser and removes its profile. */
  close(): Promise<void>;
}

/**
 * Starts the Chromium of `GANTRY_TEST_CHROMIUM`, which `npm test` sets.
 * @param zone its time zone; empty where a test sets it
 */
export async function launchBrowser(zone = 'UTC'): Promise<TestBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'gantry-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    headless: true,
    args: switches,
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    // Half faded in, a dialog has not yet its contrast; and the frames of transitions and spinners take processor time.
    reducedMotion: 'reduce',
    ...(zone === '' ? {} : { timezoneId: zone }),
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function findChromium(): string {
  const program = process.env['GANTRY_TEST_CHROMIUM'];
  if (program) return program;
  throw new Error('GANTRY_TEST_CHROMIUM is not set: run the tests with npm test, or name a Chromium in it.');
}
