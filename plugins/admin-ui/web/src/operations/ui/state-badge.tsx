import type { ShownState } from './shown-state';

interface Look {
  readonly text: string;
  readonly colour: 'blue' | 'gray' | 'green' | 'red';
}

const looks: Readonly<Record<ShownState, Look>> = {
  RUNNING: { text: 'Running', colour: 'blue' },
  COMPLETED: { text: 'Completed', colour: 'green' },
  FAILED: { text: 'Failed', colour: 'red' },
  CANCELED: { text: 'Cancelled', colour: 'gray' },
  TERMINATED: { text: 'Terminated', colour: 'red' },
  CONTINUED_AS_NEW: { text: 'Continued as new', colour: 'gray' },
  TIMED_OUT: { text: 'Timed out', colour: 'red' },
  OPEN: { text: 'Open', colour: 'blue' },
  DELIVERED: { text: 'Delivered', colour: 'green' },
  REFUNDED: { text: 'Refunded', colour: 'gray' },
  NOT_PAID: { text: 'Not paid', colour: 'gray' },
  NEEDS_DECISION: { text: 'Needs a decision', colour: 'red' },
  REFUNDING: { text: 'Refund in progress', colour: 'blue' },
  REDELIVERING: { text: 'Redelivery in progress', colour: 'blue' },
  scheduled: { text: 'Scheduled', colour: 'gray' },
  started: { text: 'Running', colour: 'blue' },
  completed: { text: 'Completed', colour: 'green' },
  failed: { text: 'Failed', colour: 'red' },
  timed_out: { text: 'Timed out', colour: 'red' },
  canceled: { text: 'Cancelled', colour: 'gray' },
  waiting: { text: 'Waiting', colour: 'blue' },
  fired: { text: 'Fired', colour: 'green' },
  received: { text: 'Received', colour: 'green' },
  terminated: { text: 'Terminated', colour: 'red' },
  left: { text: 'Not finished', colour: 'gray' },
};

/** Text of the badge of a state. */
export function stateText(state: ShownState): string {
  return looks[state].text;
}

/** A state by word and colour: a dot, and a filled badge where something has failed or somebody must act. */
export function StateBadge({ state }: { readonly state: ShownState }) {
  const { text, colour } = looks[state];
  return (
    <span className="choice-badge" data-color={colour} data-urgent={colour === 'red' || undefined}>
      {text}
    </span>
  );
}

/** The colour of a state, for bars. */
export function stateColour(state: ShownState): string {
  return looks[state].colour;
}
