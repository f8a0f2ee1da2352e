/** A failure as Temporal writes it; causes are nested. */
export interface Failure {
  readonly message?: string | null;
  readonly cause?: Failure | null;
}

/** A value as Temporal stores it: base64 of, here, JSON. */
export interface Payloads {
  readonly payloads?: readonly { readonly data?: string }[];
}

/** Attributes of an event that the pages read; which are present depends on its type. */
export interface Attributes {
  readonly activityType?: { readonly name?: string };
  readonly workflowType?: { readonly name?: string };
  readonly workflowExecution?: { readonly workflowId?: string; readonly runId?: string };
  readonly workflowId?: string;
  readonly signalName?: string;
  readonly timerId?: string;
  readonly startToFireTimeout?: string;
  readonly attempt?: number;
  readonly failure?: Failure;
  readonly lastFailure?: Failure;
  readonly result?: Payloads;
  readonly reason?: string;
  readonly cause?: string;
  readonly identity?: string;
  /** The run that a reset went back in. */
  readonly baseRunId?: string;
  readonly header?: { readonly fields?: Readonly<Record<string, { readonly data?: string }>> };
  readonly memo?: { readonly fields?: Readonly<Record<string, { readonly data?: string }>> };
  readonly scheduledEventId?: string;
  readonly startedEventId?: string;
  readonly initiatedEventId?: string;
  readonly workflowTaskCompletedEventId?: string;
}

/** An event of a history as the operations endpoints give it. */
export interface HistoryEvent {
  readonly eventId: string;
  readonly eventTime: string;
  /** For example `EVENT_TYPE_TIMER_FIRED`. */
  readonly eventType: string;
}

/** The type without its prefix: `TIMER_FIRED`. */
export function typeOf({ eventType }: HistoryEvent): string {
  return eventType.replace(/^EVENT_TYPE_/, '');
}

/** The attributes are in a member whose name contains the type; there is one such name in an event. */
export function attributesOf(event: HistoryEvent): Attributes {
  const entry = Object.entries(event).find(([name]) => name.endsWith('EventAttributes'));
  return (entry?.[1] ?? {}) as Attributes;
}

/** The messages of a failure and of what caused it, the outermost first. */
export function failureText(failure: Failure | null | undefined): string | undefined {
  const messages: string[] = [];
  for (let current = failure; current != null; current = current.cause) {
    if (current.message) messages.push(current.message);
  }
  return messages.length === 0 ? undefined : messages.join(': ');
}

/** The JSON text of a stored value; undefined when there is none. */
export function payloadText(payload: { readonly data?: string } | undefined): string | undefined {
  if (payload?.data === undefined || payload.data === '') return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.data), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // An encrypted or binary value of another plugin.
    return undefined;
  }
}

export function resultText(result: Payloads | undefined): string | undefined {
  return payloadText(result?.payloads?.[0]);
}
