/** `npm run build`: installs when needed and builds what has changed. */
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';

try {
  await ensureInstalled();
  if (!(await ensureBuilt())) console.log('Nothing has changed since the last build.');
} catch (error) {
  console.error(`npm run build: ${error.message}`);
  process.exitCode = 1;
}
