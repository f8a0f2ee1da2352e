import { chromium } from 'playwright-core';
import { requireChromium } from '../../../scripts/lib/require-chromium.mjs';

/** Starts the Chromium of `GANTRY_TEST_CHROMIUM`, or else one that is on the PATH. */
export function launchChromium() {
  const { GANTRY_TEST_CHROMIUM: executablePath } = requireChromium(process.env);
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}
