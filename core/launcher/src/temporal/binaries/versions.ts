import { temporalWheel } from '../../wheels/temporal-wheel';

/** The release of the `temporal` command line that is obtained when there is none, and that the tests run with. */
export const testedVersion = temporalWheel.version;

/** The oldest release that is used when it is found; older ones were never tried. */
export const oldestVersion = '1.9.0';

/** @returns whether `version` is at least `oldest`; both are three numbers, and what follows them does not count. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [found, wanted] = [numbersOf(version), numbersOf(oldest)];
  const index = wanted.findIndex((part, position) => part !== found[position]);
  return index === -1 || (found[index] ?? 0) > (wanted[index] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  return (version.split(/[-+]/)[0] ?? '').split('.').map(Number);
}
