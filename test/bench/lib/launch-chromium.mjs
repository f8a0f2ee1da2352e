import { chromium } from 'playwright-core';
import { findChromium } from '../../../scripts/lib/find-chromium.mjs';

/** Starts the Chromium that tests use. */
export async function launchChromium() {
  const executablePath = await findChromium();
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}
