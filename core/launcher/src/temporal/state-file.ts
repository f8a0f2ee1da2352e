import type { EmbeddedTemporalState } from '@gantry/contracts';
import { writeAtomically } from '../common/files';
import type { TemporalLayout } from './layout';

/** Publishes the state of Temporal for hosts, which are other processes. */
export function writeState({ state }: TemporalLayout, content: EmbeddedTemporalState): void {
  writeAtomically(state, `${JSON.stringify(content)}\n`, 0o644);
}
