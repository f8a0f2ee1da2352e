/**
 * Takes a picture of every page, in a real Chromium on a separate platform with content and orders, and writes them to
 * docs/screenshots. With words, only the pictures whose names contain one of them. Build first; then look at them.
 *
 *   node test/screenshots/run.mjs [word ...]
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { createSampleContent, createSampleOrders } from './sample-content.mjs';
import { createSampleWebhooks, startReceiver } from './sample-webhooks.mjs';
import { emptyPictures, pictures, webhookPictures } from './pictures.mjs';
import { startPlatform } from './platform.mjs';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const target = join(project, 'docs', 'screenshots');
const words = process.argv.slice(2);
const looks = {
  wide: { width: 1280, height: 800 },
  narrow: { width: 390, height: 800 },
};

const folder = await mkdtemp(join(tmpdir(), 'gantry-screenshots-'));
const platform = await startPlatform(folder);
const receiver = await startReceiver();
try {
  await takeAll();
} finally {
  await platform.stop();
  await receiver.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function takeAll() {
  await mkdir(target, { recursive: true });
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: process.env.GANTRY_TEST_CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  try {
    await takeThose(context, emptyPictures, {});
    const ids = await createSampleContent(platform.address);
    await createSampleOrders(platform.address);
    await takeThose(context, pictures, ids);
    await takeThose(context, webhookPictures, await createSampleWebhooks(platform.address, receiver.address, ids));
  } finally {
    await context.close();
  }
}

async function takeThose(context, all, ids) {
  const wanted = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  for (const picture of wanted) await take(context, picture, ids);
}

async function take(context, { name, path, look = 'wide', dark = false, prepare }, ids) {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  try {
    await page.setViewportSize(looks[look]);
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await page.goto(`${platform.address}${typeof path === 'function' ? path(ids) : path}`);
    await page.getByRole('heading').first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null);
    await prepare?.(page, { address: platform.address, ids });
    await page.evaluate(settle, [project, folder]);
    // A few colours are enough for an interface, and make a picture a third as large.
    const small = await sharp(await page.screenshot())
      .png({ palette: true, quality: 90, effort: 10 })
      .toBuffer();
    await writeFile(join(target, `${name}.png`), small);
    console.log(`${name}.png ${Math.round(small.length / 1000)} kB`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name}: ${error.message}`);
  } finally {
    await page.close({ runBeforeUnload: false });
  }
}

/** In the page: waits for the images in sight, and hides where this machine keeps the project. */
async function settle(hidden) {
  const images = [...document.images].filter((image) => image.getBoundingClientRect().top < window.innerHeight);
  await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const path of hidden) texts.currentNode.data = texts.currentNode.data.replaceAll(path, '/srv/gantry');
  }
}
