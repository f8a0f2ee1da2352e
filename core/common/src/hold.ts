import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from './files';
import { z } from 'zod';

const holdSchema = z.object({ since: z.string(), reason: z.string() });

/** Why no work is done in a home: workers do not run, so that nothing reaches customers. Content is served as ever. */
export type Hold = Readonly<z.infer<typeof holdSchema>>;

/**
 * A file that cannot be read or understood must not start the work that it holds back.
 * @returns undefined when the home is not on hold.
 */
export function readHold(home: string): Hold | undefined {
  try {
    return holdSchema.parse(JSON.parse(readFileSync(fileOf(home), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return { since: '', reason: `${fileOf(home)} cannot be read` };
  }
}

/** Puts a home on hold; a platform that runs on it does not notice. */
export function writeHold(home: string, hold: Hold): void {
  writeAtomically(fileOf(home), `${JSON.stringify(hold)}\n`);
}

/** Ends the hold. A platform that runs on the home notices within a second. */
export function endHold(home: string): void {
  rmSync(fileOf(home), { force: true });
}

/** A hold as text for a person. */
export function describeHold({ since, reason }: Hold): string {
  return `No worker has run and no mail has been sent since ${since || 'an unknown time'} (${reason}). To end the hold: gantry resume`;
}

function fileOf(home: string): string {
  return join(home, 'hold.json');
}
