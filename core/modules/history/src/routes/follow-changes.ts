import type { ChangeHub } from '../change-hub';
import { formatPosition, type Position } from '@gantry/core-database';
import type { ChangePage } from '@gantry/core-http/ports';
import type { Scope } from '@gantry/core-content';
import { createPieceQueue, eventText } from '@gantry/core-http';

/** UTF-16 units that wait for a client that does not read; more of them end its stream, and it comes back with its position. */
const maxWaiting = 1024 * 1024;

/** Changes as events, from a position on. */
export async function* followChanges(
  hub: ChangeHub,
  { scope, position, types }: Followed,
  { signal, onStalled }: { readonly signal: AbortSignal; readonly onStalled: () => void },
): AsyncGenerator<string, void> {
  const events = createPieceQueue(signal);
  events.add(eventText({ event: 'ready', id: formatPosition(position), data: '{}' }));
  const unfollow = hub.follow(position, {
    ...{ scope, types },
    onLost: () => events.end(),
    onPage(page) {
      events.add(eventsOf(page));
      if (events.waiting > maxWaiting) onStalled();
    },
  });
  try {
    yield* events;
  } finally {
    unfollow();
  }
}

export interface Followed {
  readonly scope: Scope;
  readonly position: Position;
  readonly types: ReadonlySet<string> | undefined;
}

function eventsOf(page: ChangePage): string {
  const events = page.changes.map(({ position, json }) =>
    eventText({ event: 'change', id: formatPosition(position), data: json }),
  );
  // Changes that the client does not see move its position too.
  events.push(eventText({ event: 'position', id: formatPosition(page.next), data: '{}' }));
  return events.join('');
}
