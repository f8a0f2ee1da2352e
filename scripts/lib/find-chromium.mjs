import { delimiter, join } from 'node:path';
import { isExecutable } from './is-executable.mjs';
import { readMachine } from './machine.mjs';

/** First the one without windows: its own process takes a third of the processor time, and it renders the same. */
const commands = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * The program of a Chromium for tests: the one that GANTRY_TEST_CHROMIUM names, else the one that npm brings for Linux on x64,
 * which needs the packages to be installed, else an installed one. So that all machines of a kind test with the same browser.
 * @param machine as {@link readMachine} gives it
 * @throws Error that says how to get one
 */
export async function findChromium(environment = process.env, machine = readMachine()) {
  assertChromium(environment, machine);
  if (environment.GANTRY_TEST_CHROMIUM) return environment.GANTRY_TEST_CHROMIUM;
  if (!hasNpmChromium(machine)) return installedChromium(environment, machine);
  // Its packages are missing before the installation, where this file is read already.
  const { ensureNpmChromium } = await import('./npm-chromium.mjs');
  return ensureNpmChromium(environment);
}

/** Refuses a machine on which {@link findChromium} would find none, before anything is installed. */
export function assertChromium(environment = process.env, machine = readMachine()) {
  const chosen = environment.GANTRY_TEST_CHROMIUM;
  if (chosen && !isExecutable(chosen)) {
    throw new Error(`GANTRY_TEST_CHROMIUM names no program that can be run: ${chosen}`);
  }
  if (chosen || hasNpmChromium(machine) || installedChromium(environment, machine) !== undefined) return;
  const { os, cpu, libc } = machine;
  const name = [os, cpu, ...(os === 'linux' && libc !== 'glibc' ? ['without glibc'] : [])].join(' ');
  throw new Error(
    `The browser tests need Chromium, and this machine has none: npm brings one for linux x64 with glibc only; this is ${name}. ${remedies[os] ?? remedies.linux}, or set GANTRY_TEST_CHROMIUM to the program of another Chromium.`,
  );
}

const remedies = {
  linux: 'Install the package of your system (Debian: apt-get install chromium; Alpine: apk add chromium)',
  darwin: 'Install Google Chrome (https://www.google.com/chrome) in /Applications',
  win32: 'Install Google Chrome (https://www.google.com/chrome)',
};

function hasNpmChromium({ os, cpu, libc }) {
  return os === 'linux' && cpu === 'x64' && libc === 'glibc';
}

function installedChromium(environment, { os }) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = folders.flatMap((folder) => commands.map((command) => join(folder, command)));
  return [...onPath, ...applications(environment, os)].find(isExecutable);
}

/** Where Chrome's own installers put it; these systems do not have it on the PATH. */
function applications(environment, os) {
  if (os === 'darwin') {
    return ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  }
  if (os !== 'win32') return [];
  const folders = [environment.PROGRAMFILES, environment['PROGRAMFILES(X86)'], environment.LOCALAPPDATA];
  return folders.filter(Boolean).map((folder) => join(folder, 'Google/Chrome/Application/chrome.exe'));
}
