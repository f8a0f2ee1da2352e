import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { request, startPlatform } from '../../scripts/lib/gantry.mjs';
import { findChromium } from '../../scripts/lib/find-chromium.mjs';
import { createRandom } from './support/random.mjs';

/**
 * Claim: a day and a time that are typed into the admin pages are stored as that day and that instant, in whatever time zone the browser
 * is, also on days on which clocks change; a time that clocks skip is not stored.
 */
export const sizes = { ci: { zones: 2, moments: 2 }, full: { zones: 30, moments: 6 } };

const zones = [
  ...['UTC', 'Europe/London', 'Europe/Berlin', 'Europe/Dublin', 'Europe/Moscow', 'Europe/Istanbul', 'Atlantic/Azores'],
  ...['America/St_Johns', 'America/New_York', 'America/Chicago', 'America/Phoenix', 'America/Los_Angeles'],
  ...['America/Anchorage', 'America/Sao_Paulo', 'America/Santiago', 'America/Havana', 'America/Caracas'],
  ...[
    'Africa/Cairo',
    'Africa/Casablanca',
    'Asia/Beirut',
    'Asia/Tehran',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Asia/Tokyo',
  ],
  ...[
    'Australia/Adelaide',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'Pacific/Apia',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
  ],
];

export default async function prove({ seed, size, log }) {
  const executablePath = await findChromium();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-dates-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const random = createRandom(seed);
  const plugins = ['plugins', 'services', 'test/e2e/admin/fixtures'].join(delimiter);
  const platform = await startPlatform(join(folder, 'home'), { GANTRY_PLUGIN_PATH: plugins });
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const count = { typed: 0, skipped: 0, twice: 0, changes: 0 };
    for (const zone of zones.slice(0, size.zones)) {
      const moments = momentsOf(zone, size.moments, random);
      count.changes += moments.filter(({ isChange }) => isChange).length;
      await typeAll({ browser, platform, zone, moments, count });
      log(`${zone}: ${moments.length} days and times`);
    }
    return `${count.typed} days and times in ${size.zones} zones, ${count.changes} of them on days on which clocks change: 0 shifted; ${count.skipped} skipped times not stored, ${count.twice} shown twice`;
  } finally {
    await browser.close();
    await platform.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Local times on days on which clocks change, half of them in the hour of the change, and on days by chance. */
function momentsOf(zone, count, random) {
  const changes = changesIn(zone, 2026);
  const moments = [];
  for (const instant of changes) {
    // By the offset before it: half an hour later, which is skipped, and half an hour earlier, which may be shown twice.
    const before = Date.parse(`${localOf(zone, instant - 60_000).replace(' ', 'T')}:00Z`);
    for (const minutes of [31, -29]) moments.push({ local: localOf('UTC', before + minutes * 60_000), isChange: true });
    moments.push({ local: `${localOf('UTC', before).slice(0, 10)} 12:00`, isChange: true });
  }
  while (moments.length < count) {
    const instant = Date.UTC(1990, 0, 1) + Math.floor(random() * 60 * 365.25 * 1_440) * 60_000;
    moments.push({ local: localOf(zone, instant), isChange: false });
  }
  return moments;
}

/** Instants at which the offset of the zone changes in a year, to the minute. */
function changesIn(zone, year) {
  const offset = (instant) => Date.parse(`${localOf(zone, instant).replace(' ', 'T')}:00Z`) - instant;
  const changes = [];
  for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += 86_400_000) {
    if (offset(day) === offset(day + 86_400_000)) continue;
    let [low, high] = [day, day + 86_400_000];
    while (high - low > 60_000) {
      const middle = low + Math.floor((high - low) / 120_000) * 60_000;
      if (offset(middle) === offset(day)) low = middle;
      else high = middle;
    }
    changes.push(high);
  }
  return changes;
}

function localOf(zone, instant) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(instant);
}

/** Every instant that clocks of the zone show so, looked for minute by minute: slow, and obviously right. */
function instantsOf(zone, local) {
  const near = Date.parse(`${local.replace(' ', 'T')}:00Z`);
  const found = [];
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  for (let instant = near - 15 * 3_600_000; instant <= near + 15 * 3_600_000; instant += 60_000) {
    if (format.format(instant) === local) found.push(instant);
  }
  return found;
}

async function typeAll({ browser, platform, zone, moments, count }) {
  const context = await browser.newContext({ timezoneId: zone, locale: 'en-GB' });
  const page = await context.newPage();
  try {
    for (const { local } of moments) {
      const title = `${zone} ${local} ${count.typed}`;
      count.typed += 1;
      await page.goto(`${platform.address}/admin/content/appointment/new`);
      await page.getByLabel('Title').fill(title);
      await page.getByLabel('Day', { exact: true }).fill(local.slice(0, 10));
      await page.getByLabel('Starts at', { exact: true }).fill(local);
      await page.keyboard.press('Control+s');
      const expected = instantsOf(zone, local);
      await (expected.length === 0 ? isRefused : isStored)({ page, platform, title, zone, local, expected });
      if (expected.length === 0) count.skipped += 1;
      if (expected.length > 1) count.twice += 1;
    }
  } finally {
    await context.close();
  }
}

async function isRefused({ page, platform, title, zone, local }) {
  const problem = page.getByText(/must be a date and time/);
  await problem.first().waitFor();
  if ((await stored(platform, title)) === undefined) return;
  throw new Error(`${local} was stored, which clocks in ${zone} skip`);
}

/** Of two instants, the earlier one unless the other is chosen. */
async function isStored({ page, platform, title, zone, local, expected: [instant] }) {
  await page.waitForURL(/\/content\/appointment\/\d+/);
  const { day, startsAt } = (await stored(platform, title)) ?? {};
  if (day !== local.slice(0, 10) || Date.parse(startsAt) !== instant) {
    throw new Error(`${local} in ${zone} became ${day} and ${startsAt}; expected ${new Date(instant).toISOString()}`);
  }
  await page.reload();
  const again = await page.getByLabel('Starts at', { exact: true }).inputValue();
  if (again !== local) throw new Error(`${local} in ${zone} is shown again as ${again}`);
}

async function stored(platform, title) {
  const criteria = [{ field: 'title', operator: 'EQUALS', value: title }];
  const { text } = await request(platform, 'POST', '/api/cms/items/appointment/list', criteria);
  return JSON.parse(text).data[0]?.values;
}
