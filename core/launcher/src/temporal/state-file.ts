import type { EmbeddedTemporalState } from '@gantry/contracts';
import { writeAtomically } from '../files';
import type { TemporalLayout } from './layout';

/** Tells hosts, which are other processes, how it stands with Temporal. */
export function writeState({ state }: TemporalLayout, content: EmbeddedTemporalState): void {
  writeAtomically(state, `${JSON.stringify(content)}\n`, 0o644);
}
