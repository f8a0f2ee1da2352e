import type { ActivityState, WorkflowStatus } from '@gantry/contracts';
import type { Colours } from '../terminal/colours';

/** A state as text, coloured if it needs attention. */
export function stateWords(state: WorkflowStatus | ActivityState, colours: Colours): string {
  const text = state.replaceAll('_', ' ');
  switch (state) {
    case 'COMPLETED':
    case 'completed':
      return colours.green(text);
    case 'FAILED':
    case 'failed':
    case 'TIMED_OUT':
    case 'timed_out':
    case 'TERMINATED':
      return colours.red(text);
    case 'RUNNING':
    case 'scheduled':
    case 'started':
      return colours.yellow(text);
    case 'CANCELED':
    case 'canceled':
    case 'CONTINUED_AS_NEW':
      return colours.dim(text);
  }
}
