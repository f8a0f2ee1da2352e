import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { chromium } from 'playwright-core';
import { ensureNpmChromium } from '../../scripts/lib/npm-chromium.mjs';
import { createPictureClock } from './picture-clock.mjs';
import { project, startPlatform } from './platform.mjs';
import { startReceiver } from './sample-webhooks.mjs';
import { makeAnswersSteady } from './steady-answers.mjs';

/** How each page is shown: what comes after its name in the name of a picture, width and height in CSS pixels, and the scheme. */
export const looks = [
  { suffix: '', width: 1440, height: 900, scheme: 'light' },
  { suffix: '-1280', width: 1280, height: 800, scheme: 'light' },
  { suffix: '-390', width: 390, height: 844, scheme: 'light' },
  { suffix: '-dark', width: 1440, height: 900, scheme: 'dark' },
];

/**
 * Starts a platform with all plugins and services, and the browser that npm brings with its fonts alone, so that pictures are
 * the same on each machine on which it runs.
 */
export async function openAlbum() {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-screenshots-'));
  const platform = await startPlatform(folder);
  const receiver = await startReceiver();
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: await ensureNpmChromium(),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
      // Letters stand where the font wants them, as on the screens of most people, not on whole pixels.
      '--font-render-hinting=none',
    ],
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const names = {
    [platform.address]: 'http://127.0.0.1:3000',
    [platform.address.replace('127.0.0.1', 'localhost')]: 'http://localhost:3000',
    [receiver.address]: 'https://search.example.com',
    [project]: '/srv/gantry',
    [folder]: '/srv/gantry',
    // Of a journey, see platform.mjs.
    '"startToFireTimeout":"3s"': '"startToFireTimeout":"120s"',
  };
  const clock = createPictureClock();
  await makeAnswersSteady(context, platform.address, clock, names);
  return {
    address: platform.address,
    receiver: receiver.address,
    run: platform.run,
    clock,
    signIn: (secret) => signIn(context, platform.address, secret),
    open: (picture, content) => openPage(context, platform.address, picture, content),
    async close() {
      await context.close();
      await receiver.stop();
      await platform.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const password = 'correct horse battery staple';

/** Sets the password of a new user with API tokens, who is signed in from then on. */
async function signIn(context, address, secret) {
  const page = await context.newPage();
  await page.goto(`${address}/admin/set-password#${secret}`);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Repeat the new password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Keep this access' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.close();
}

/**
 * Opens the page of a picture. Resolves with `take(look)`, which gives a PNG, `styles()`, which gives the bytes of the style sheets
 * that the page has loaded as they are served, and `close()`.
 */
async function openPage(context, address, { path, prepare }, content) {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const sheets = new Map();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    // The browser may have dropped what was loaded before a navigation.
    const again = async () => (await page.request.get(response.url())).body();
    if (pathname.endsWith('.css')) sheets.set(pathname, response.body().catch(again));
  });
  const [first] = looks;
  await show(page, first);
  await page.goto(`${address}${typeof path === 'function' ? path(content) : path}`);
  await page.getByRole('heading').first().waitFor();
  await page.waitForLoadState('networkidle');
  await prepare?.(page, content);
  return {
    async take(look) {
      await show(page, look);
      await page.evaluate(settle);
      return page.screenshot({ caret: 'hide', animations: 'disabled' });
    },
    async styles() {
      const bodies = await Promise.all(sheets.values());
      return bodies.reduce((sum, body) => sum + compressed(body), 0);
    },
    close: () => page.close({ runBeforeUnload: false }),
  };
}

function compressed(body) {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
}

async function show(page, { width, height, scheme }) {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme });
}

/** In the page: waits for fonts and for the images in sight, and gives all runs of workflows one id. */
async function settle() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode } = texts;
    currentNode.data = currentNode.data.replace(
      /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
      '01a2f4c8-90b1-7d5e-8a36-4f1c20e7b9d3',
    );
  }
  await document.fonts.ready;
  // A list draws its rows again when the width of the window has changed, and images begin to load after that.
  for (let round = 0; round < 4; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const images = [...document.images].filter((image) => image.getBoundingClientRect().top < window.innerHeight);
    for (const image of images) image.loading = 'eager';
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
  }
}
