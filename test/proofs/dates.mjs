import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { request, startPlatform } from '../../scripts/lib/gantry.mjs';
import { requireChromium } from '../../scripts/lib/require-chromium.mjs';
import { createRandom } from './support/random.mjs';

/**
 * Claim: a day and a time that are typed into the admin pages are stored as that day and that instant, in whatever time zone the browser
 * is, also on days on which clocks change; a time that clocks skip is not stored.
 */
export const sizes = { ci: { zones: 3, moments: 4 }, full: { zones: 30, moments: 10 } };

const zones = [
  ...['UTC', 'Europe/London', 'Europe/Berlin', 'Europe/Dublin', 'Europe/Moscow', 'Europe/Istanbul', 'Atlantic/Azores'],
  ...['America/St_Johns', 'America/New_York', 'America/Chicago', 'America/Phoenix', 'America/Los_Angeles'],
  ...['America/Anchorage', 'America/Sao_Paulo', 'America/Santiago', 'America/Havana', 'America/Caracas'],
  ...['Africa/Cairo', 'Africa/Casablanca', 'Asia/Beirut', 'Asia/Tehran', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Tokyo'],
  ...['Australia/Adelaide', 'Australia/Lord_Howe', 'Pacific/Chatham', 'Pacific/Apia', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'],
];

export default async function prove({ seed, size, log }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-dates-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const random = createRandom(seed);
  const plugins = ['plugins', 'services', 'test/e2e/admin/fixtures'].join(delimiter);
  const platform = await startPlatform(join(folder, 'home'), { GANTRY_PLUGIN_PATH: plugins });
  const browser = await chromium.launch({
    executablePath: requireChromium(process.env).GANTRY_TEST_CHROMIUM,
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
    // Just after the change by the offset before it: what is skipped, or shown twice.
    const before = localOf(zone, instant - 60_000);
    const inside = new Date(Date.parse(`${before.replace(' ', 'T')}:00Z`) + 31 * 60_000);
    moments.push({ local: inside.toISOString().slice(0, 16).replace('T', ' '), isChange: true });
    moments.push({ local: `${before.slice(0, 10)} 12:00`, isChange: true });
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
      const day = local.slice(0, 10);
      const expected = instantsOf(zone, local);
      const title = `${zone} ${local} ${count.typed}`;
      await page.goto(`${platform.address}/admin/content/appointment/new`);
      await page.getByLabel('Title').fill(title);
      await page.getByLabel('Day', { exact: true }).fill(day);
      await page.getByLabel('Starts at', { exact: true }).fill(local);
      await page.keyboard.press('Control+s');
      if (expected.length === 0) {
        await page.getByText(/must be a date and time/).first().waitFor();
        if ((await stored(platform, title)) !== undefined) throw new Error(`${local} was stored, which clocks in ${zone} skip`);
        count.skipped += 1;
      } else {
        await page.waitForURL(/\/content\/appointment\/\d+/);
        const values = await stored(platform, title);
        const shown = [values?.day, Date.parse(values?.startsAt)];
        if (shown[0] !== day || shown[1] !== expected[0]) {
          throw new Error(`${local} in ${zone} became ${values?.day} and ${values?.startsAt}; expected ${new Date(expected[0]).toISOString()}`);
        }
        await page.reload();
        const again = await page.getByLabel('Starts at', { exact: true }).inputValue();
        if (again !== local) throw new Error(`${local} in ${zone} is shown again as ${again}`);
        if (expected.length > 1) count.twice += 1;
      }
      count.typed += 1;
    }
  } finally {
    await context.close();
  }
}

async function stored(platform, title) {
  const criteria = [{ field: 'title', operator: 'EQUALS', value: title }];
  const { text } = await request(platform, 'POST', '/api/cms/items/appointment/list', criteria);
  return JSON.parse(text).data[0]?.values;
}
