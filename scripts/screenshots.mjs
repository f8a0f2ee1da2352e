/** `npm run screenshots`: installs and builds what is missing, then takes the pictures of docs/screenshots. */
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { assertChromium, findChromium } from './lib/find-chromium.mjs';

try {
  assertChromium();
  await ensureInstalled({ withTools: true });
  await ensureBuilt();
  process.env.GANTRY_TEST_CHROMIUM = await findChromium();
  await import('../test/screenshots/run.mjs');
} catch (error) {
  console.error(`npm run screenshots: ${error.message}`);
  process.exitCode = 1;
}
