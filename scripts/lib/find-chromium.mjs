import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** First the one without windows: its own process takes a third of the processor time, and it renders the same. */
const commands = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * The program of a Chromium for tests: the one that GANTRY_TEST_CHROMIUM names, else one on the PATH, else the one that npm
 * brings for Linux on x64, which needs the packages to be installed.
 * @throws Error that says how to get one
 */
export async function findChromium(environment = process.env) {
  assertChromium(environment);
  if (environment.GANTRY_TEST_CHROMIUM) return environment.GANTRY_TEST_CHROMIUM;
  const installed = installedChromium(environment);
  if (installed !== undefined) return installed;
  // Its packages are missing before the installation, where this file is read already.
  const { ensureNpmChromium } = await import('./npm-chromium.mjs');
  return ensureNpmChromium(environment);
}

/** Refuses a machine on which {@link findChromium} would find none, before anything is installed. */
export function assertChromium(environment = process.env) {
  const chosen = environment.GANTRY_TEST_CHROMIUM;
  if (chosen && !isExecutable(chosen)) {
    throw new Error(`GANTRY_TEST_CHROMIUM names no program that can be run: ${chosen}`);
  }
  if (chosen || hasNpmChromium() || installedChromium(environment) !== undefined) return;
  throw new Error(
    'The browser tests need Chromium. npm brings one for Linux on x64 with glibc only, and none is on the PATH: install Chrome or Chromium, or set GANTRY_TEST_CHROMIUM to its program.',
  );
}

/** Whether the browser that npm brings runs on this machine: it is built for Linux on x64 with glibc. */
function hasNpmChromium() {
  const { glibcVersionRuntime } = process.report.getReport().header;
  return process.platform === 'linux' && process.arch === 'x64' && glibcVersionRuntime !== undefined;
}

function installedChromium({ PATH = '' }) {
  const files = PATH.split(delimiter).flatMap((folder) => commands.map((command) => join(folder, command)));
  return files.find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
