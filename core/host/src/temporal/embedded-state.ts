import { readFile } from 'node:fs/promises';
import type { EmbeddedTemporalState } from '@gantry/contracts';

/** The state of the embedded Temporal of the launcher; undefined when it is not known. */
export async function readEmbeddedState(file: string): Promise<EmbeddedTemporalState | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as EmbeddedTemporalState;
  } catch {
    return undefined;
  }
}

/** Whether it is worth waiting for: it runs, or will in a moment. */
export async function isComing(file: string): Promise<boolean> {
  const state = (await readEmbeddedState(file))?.state;
  return state === 'starting' || state === 'running';
}
