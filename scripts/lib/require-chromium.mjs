import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** First the one without windows: its own process takes a third of the processor time, and it renders the same. */
const commands = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The environment with the Chromium for the browser tests named in it, or an error that says how to get one. */
export function requireChromium(environment) {
  const chosen = environment.GANTRY_TEST_CHROMIUM;
  if (chosen) {
    if (isExecutable(chosen)) return environment;
    throw new Error(`GANTRY_TEST_CHROMIUM names no program that can be run: ${chosen}`);
  }
  const folders = (environment.PATH ?? '').split(delimiter);
  const found = folders.flatMap((folder) => commands.map((command) => join(folder, command))).find(isExecutable);
  if (found === undefined) {
    throw new Error(
      'The browser tests need Chromium, and none is on the PATH: install it (apt-get install chromium) or set GANTRY_TEST_CHROMIUM.',
    );
  }
  return { ...environment, GANTRY_TEST_CHROMIUM: found };
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
