/** `npm run screenshots`: installs and builds what is missing, then takes the pictures of docs/screenshots. */
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { requireChromium } from './lib/require-chromium.mjs';

await ensureInstalled();
await ensureBuilt();
Object.assign(process.env, requireChromium(process.env));
await import('../test/screenshots/run.mjs');
