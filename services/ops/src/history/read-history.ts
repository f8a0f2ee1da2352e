import { callTemporal, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { temporal as proto } from '@temporalio/proto';
import type { HistoryEvent } from './history';
import { historyToJson } from './history-to-json';

const { HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT } = proto.api.enums.v1.HistoryEventFilterType;

/** The run whose history is read. */
export interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

/** Where a page begins: in a page of Temporal, which it gives again for the token, after the event. */
export interface HistoryPosition {
  /** Base64; empty for the first page of Temporal. */
  readonly token: string;
  readonly afterEvent: number;
}

export interface HistoryPage {
  readonly events: readonly HistoryEvent[];
  /** Absent when there are no further events. */
  readonly next?: HistoryPosition;
}

const start: HistoryPosition = { token: '', afterEvent: 0 };

/** Temporal gives no more at once, and often a few more or less than it is asked for: never half of a transaction. */
const maxAtOnce = 250;

/** The next events of a run, as many as asked for unless there are fewer. */
export async function readHistoryPage(
  client: Client,
  run: Run,
  limit: number,
  from: HistoryPosition = start,
): Promise<HistoryPage> {
  const events: HistoryEvent[] = [];
  for (let { token } = from, last = from.afterEvent; ;) {
    const part = await readPart(client, run, Math.min(limit, maxAtOnce), token);
    const fresh = part.events.filter((event) => idOf(event) > last).slice(0, limit - events.length);
    events.push(...historyToJson(fresh));
    last = idOf(fresh.at(-1)) ?? last;
    // The remainder is at the end of this part, and begins the next page.
    const isRead = last === (idOf(part.events.at(-1)) ?? last);
    if (isRead && part.nextToken === '') return { events };
    if (isRead) token = part.nextToken;
    if (events.length >= limit) return { events, next: { token, afterEvent: last } };
  }
}

/**
 * Every event of a run. Temporal allows some fifty thousand, which take longer than one call may, so that each page is one.
 * @throws GantryError UNAVAILABLE
 */
export async function readWholeHistory(temporal: Temporal, run: Run): Promise<readonly HistoryEvent[]> {
  const readPage = (from: HistoryPosition): Promise<HistoryPage> =>
    callTemporal(temporal, (client: Client) => readHistoryPage(client, run, eventsAtOnce, from));
  let page = await readPage(start);
  const events = [...page.events];
  while (page.next !== undefined) {
    page = await readPage(page.next);
    events.push(...page.events);
  }
  return events;
}

const eventsAtOnce = 1_000;

/** The event with which a run ended; undefined while it runs. */
export async function readLastEvent(client: Client, execution: Run): Promise<HistoryEvent | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution,
    historyEventFilterType: HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT,
  });
  return historyToJson(history?.events ?? []).at(-1);
}

interface Part {
  readonly events: readonly RawEvent[];
  readonly nextToken: string;
}

type RawEvent = proto.api.history.v1.IHistoryEvent;

async function readPart(client: Client, execution: Run, maximumPageSize: number, token: string): Promise<Part> {
  const { history, nextPageToken } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution,
    maximumPageSize,
    nextPageToken: Buffer.from(token, 'base64'),
  });
  return { events: history?.events ?? [], nextToken: Buffer.from(nextPageToken).toString('base64') };
}

/** Ids count from 1, without gaps. */
function idOf(event: RawEvent): number;
function idOf(event: RawEvent | undefined): number | undefined;
function idOf(event: RawEvent | undefined): number | undefined {
  return event === undefined ? undefined : Number(event.eventId);
}
