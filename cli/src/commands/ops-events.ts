/** A failure as Temporal writes it; causes are nested. */
interface EventFailure {
  readonly message?: string | null;
  readonly cause?: EventFailure | null;
}

interface Payload {
  /** Base64, mostly of JSON. */
  readonly data?: string;
}

/** What is read of the attributes of an event; which are there depends on its type. */
export interface Attributes {
  readonly activityType?: { readonly name?: string };
  readonly workflowType?: { readonly name?: string };
  readonly workflowExecution?: { readonly workflowId?: string };
  readonly workflowId?: string;
  readonly taskQueue?: { readonly name?: string };
  readonly signalName?: string;
  /** What a signal was sent with. */
  readonly input?: { readonly payloads?: readonly Payload[] };
  readonly startToFireTimeout?: string;
  readonly attempt?: number;
  readonly failure?: EventFailure;
  readonly lastFailure?: EventFailure;
  readonly result?: { readonly payloads?: readonly Payload[] };
  readonly reason?: string;
  readonly cause?: string;
  readonly timeoutType?: string;
  readonly identity?: string;
  /** The run that a reset went back in. */
  readonly baseRunId?: string;
  readonly memo?: { readonly fields?: Readonly<Record<string, Payload>> };
  readonly header?: { readonly fields?: Readonly<Record<string, Payload>> };
  readonly scheduledEventId?: string;
  readonly startedEventId?: string;
  readonly initiatedEventId?: string;
  readonly workflowTaskCompletedEventId?: string;
}

/** An event as the operations endpoints give it; its attributes are in a member whose name depends on its type. */
export interface HistoryEvent {
  readonly eventId: string;
  readonly eventTime: string;
  readonly eventType: string;
}

export interface History {
  readonly workflowId: string;
  readonly runId: string;
  readonly events: readonly HistoryEvent[];
}

/** The type without its prefix: `TIMER_FIRED`. */
export function typeOf({ eventType }: HistoryEvent): string {
  return eventType.replace(/^EVENT_TYPE_/, '');
}

/** Milliseconds since 1970. */
export function timeOf({ eventTime }: HistoryEvent): number {
  return Date.parse(eventTime);
}

export function attributesOf(event: HistoryEvent): Attributes {
  const entry = Object.entries(event).find(([name]) => name.endsWith('EventAttributes'));
  return (entry?.[1] ?? {}) as Attributes;
}

/** The messages of a failure and of what caused it, the outermost first. */
export function failureText(failure: EventFailure | null | undefined): string | undefined {
  const messages: string[] = [];
  for (let current = failure; current != null; current = current.cause) {
    if (current.message) messages.push(current.message);
  }
  return messages.length === 0 ? undefined : messages.join(': ');
}

/** The JSON text of a stored value; undefined when there is none, or none that is text. */
export function payloadText(payload: Payload | undefined): string | undefined {
  if (payload?.data === undefined || payload.data === '') return undefined;
  const text = Buffer.from(payload.data, 'base64').toString('utf8');
  return text.includes('\uFFFD') ? undefined : text;
}

/** A duration as Temporal writes it in JSON, `120s` or `0.500s`, in milliseconds. */
export function milliseconds(text: string | undefined): number {
  const seconds = Number(text?.replace(/s$/, ''));
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
}
