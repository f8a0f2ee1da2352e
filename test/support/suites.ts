import { createHash } from 'node:crypto';

/**
 * Suites of a file that share a host, because its start takes seconds. Each begins after `reset`, so that it runs alone (`-t`) and
 * in any order: `npm test -- --shuffle` takes the one of its seed.
 */
export function describeSuites(suites: Readonly<Record<string, () => void>>, reset: () => Promise<unknown>): void {
  const isShuffled = process.env['GANTRY_TEST_SHUFFLE'] !== undefined;
  const placeOf = (name: string): string => createHash('sha1').update(`${jest.getSeed()} ${name}`).digest('hex');
  const names = Object.keys(suites);
  for (const name of isShuffled ? names.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)) : names) {
    describe(name, () => {
      beforeAll(() => reset() as Promise<void>);
      suites[name]?.();
    });
  }
}
