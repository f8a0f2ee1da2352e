import type { OptionColor } from '@gantry/contracts';
import { cappedCount } from '../ui/text/capped-count';
import { StateMark } from '../ui/state-mark';
import type { Subscribed } from './webhook-api';

/** How a subscription does. `unused`: its plugin is not in use. */
export type SubscriptionLook = 'active' | 'paused' | 'failing' | 'gap' | 'unused';

type Looked = Subscribed & { readonly types: readonly string[] | null };

export function lookOf({ state, failingSince, gapSince, types }: Looked): SubscriptionLook {
  if (types === null) return 'unused';
  if (state === 'paused') return 'paused';
  if (failingSince !== null) return 'failing';
  return gapSince === null ? 'active' : 'gap';
}

const looks: Readonly<Record<SubscriptionLook, { readonly text: string; readonly colour: OptionColor }>> = {
  active: { text: 'Active', colour: 'green' },
  paused: { text: 'Paused', colour: 'gray' },
  failing: { text: 'Failing', colour: 'red' },
  gap: { text: 'Gap', colour: 'yellow' },
  unused: { text: 'Not in use', colour: 'gray' },
};

export function SubscriptionBadge({ subscription }: { readonly subscription: Looked }) {
  const { text, colour } = looks[lookOf(subscription)];
  return <StateMark color={colour}>{text}</StateMark>;
}

/** No backlog is counted further by the platform. */
const maxBacklog = 1_000;

/** Changes that are not delivered yet: not read, or waiting for another attempt. */
export function backlogText({ backlog, waiting }: Subscribed): string {
  return cappedCount(backlog + waiting, backlog >= maxBacklog);
}
