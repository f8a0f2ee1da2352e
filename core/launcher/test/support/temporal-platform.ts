import { makeHome, removeHomes } from './homes';
import { endOuters, startOuter } from './outer';
import type { Outer } from './outer';
import { endTemporal, temporalEnvironment } from './temporal';

const homes: string[] = [];

/**
 * Ends and removes all that the tests of a file or of a `describe` start.
 * @param after when: after each test, or after all of them
 */
export function endTemporalAfterTests(after: (work: () => Promise<void>) => void = afterEach): void {
  after(async () => {
    await endOuters();
    for (const home of homes.splice(0)) endTemporal(home);
  });
  afterAll(removeHomes);
}

/** A platform with a plugin that needs Temporal. */
export interface Started {
  readonly home: string;
  readonly outer: Outer;
  /** Starts on the same home again. */
  readonly again: () => Outer;
}

export async function start(env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const home = newHome();
  const all = { ...(await temporalEnvironment(home)), ...env };
  const again = (): Outer => startOuter({ home, env: all });
  return { home, outer: again(), again };
}

export function newHome(): string {
  const home = makeHome();
  homes.push(home);
  return home;
}

export async function stop(outer: Outer): Promise<void> {
  await outer.ready;
  outer.kill('SIGINT');
  expect((await outer.exit).code).toBe(0);
}

export async function kill9(outer: Outer): Promise<void> {
  outer.kill('SIGKILL');
  await outer.exit;
}
