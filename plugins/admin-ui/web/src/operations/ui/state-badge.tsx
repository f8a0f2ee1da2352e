import { Badge } from '@mantine/core';
import { ClockIcon } from '../../ui/icons';
import { DoneIcon, FailIcon, ForwardIcon, RunIcon, SignalIcon, SkipIcon, StopIcon, WaitIcon } from './operation-icons';
import type { ShownState } from './shown-state';

interface Look {
  readonly text: string;
  readonly colour: string;
  readonly Icon: typeof RunIcon;
}

const looks: Readonly<Record<ShownState, Look>> = {
  RUNNING: { text: 'Running', colour: 'blue', Icon: RunIcon },
  COMPLETED: { text: 'Completed', colour: 'green', Icon: DoneIcon },
  FAILED: { text: 'Failed', colour: 'red', Icon: FailIcon },
  CANCELED: { text: 'Cancelled', colour: 'gray', Icon: SkipIcon },
  TERMINATED: { text: 'Terminated', colour: 'red', Icon: StopIcon },
  CONTINUED_AS_NEW: { text: 'Continued as new', colour: 'gray', Icon: ForwardIcon },
  TIMED_OUT: { text: 'Timed out', colour: 'red', Icon: ClockIcon },
  OPEN: { text: 'Open', colour: 'blue', Icon: RunIcon },
  DELIVERED: { text: 'Delivered', colour: 'green', Icon: DoneIcon },
  REFUNDED: { text: 'Refunded', colour: 'gray', Icon: SkipIcon },
  NOT_PAID: { text: 'Not paid', colour: 'gray', Icon: ClockIcon },
  NEEDS_DECISION: { text: 'Needs a decision', colour: 'red', Icon: StopIcon },
  REFUNDING: { text: 'Refund runs', colour: 'blue', Icon: RunIcon },
  REDELIVERING: { text: 'Redelivery runs', colour: 'blue', Icon: RunIcon },
  scheduled: { text: 'Scheduled', colour: 'yellow', Icon: WaitIcon },
  started: { text: 'Running', colour: 'blue', Icon: RunIcon },
  completed: { text: 'Completed', colour: 'green', Icon: DoneIcon },
  failed: { text: 'Failed', colour: 'red', Icon: FailIcon },
  timed_out: { text: 'Timed out', colour: 'red', Icon: ClockIcon },
  canceled: { text: 'Cancelled', colour: 'gray', Icon: SkipIcon },
  waiting: { text: 'Waiting', colour: 'blue', Icon: WaitIcon },
  fired: { text: 'Fired', colour: 'green', Icon: ClockIcon },
  received: { text: 'Received', colour: 'green', Icon: SignalIcon },
  terminated: { text: 'Terminated', colour: 'red', Icon: StopIcon },
  left: { text: 'Left open', colour: 'gray', Icon: SkipIcon },
};

/** What the badge of a state says. */
export function stateText(state: ShownState): string {
  return looks[state].text;
}

/** A state by icon, colour and word. */
export function StateBadge({ state, size = 'md' }: { readonly state: ShownState; readonly size?: 'sm' | 'md' | 'lg' }) {
  const { text, colour, Icon } = looks[state];
  return (
    <Badge
      color={colour}
      variant="light"
      size={size}
      tt="none"
      leftSection={<Icon size={13} />}
      className="state-badge"
    >
      {text}
    </Badge>
  );
}

/** The colour of a state, for bars. */
export function stateColour(state: ShownState): string {
  return looks[state].colour;
}
