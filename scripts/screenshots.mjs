/** `npm run screenshots`: installs and builds what is missing, then takes the pictures of docs/screenshots. */
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { findChromium } from './lib/find-chromium.mjs';

await ensureInstalled();
await ensureBuilt();
process.env.GANTRY_TEST_CHROMIUM = await findChromium();
await import('../test/screenshots/run.mjs');
