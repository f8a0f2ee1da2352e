import type { Readiness } from '../../api/queries';

/** The parts of the platform that do not run as they should. */
export function troubles(readiness: Readiness | undefined): Readiness['parts'] {
  return (readiness?.parts ?? []).filter(({ status }) => status !== 'up');
}
