import { GantryError, isGantryError } from '../errors';
import type { Temporal } from '../plugin-context';

/** gRPC status codes that mean: Temporal cannot serve this now. */
const unavailableCodes: readonly unknown[] = [/* aborted */ 10, /* unavailable */ 14];
/** And those that mean: not in time. Only the client cancels a call, when an attempt exceeds its deadline. */
const slowCodes: readonly unknown[] = [/* cancelled */ 1, /* deadline exceeded */ 4, /* resource exhausted */ 8];
/** And those that mean: it does not let the platform in. */
const refusalCodes: readonly unknown[] = [/* permission denied */ 7, /* unauthenticated */ 16];
const notFoundCode = 5;
const defaultTimeoutMs = 5_000;
const retryAfterSeconds = '5';
const signalAgainAfterMs = 50;

/** The part of a `Client` of @temporalio/client that {@link callTemporal} uses. @public */
export interface DeadlineClient {
  withDeadline<R>(deadline: number | Date, work: () => Promise<R>): Promise<R>;
}

/** The part of a `Client` of @temporalio/client that {@link signalWorkflow} uses. @public */
export interface SignallingClient extends DeadlineClient {
  readonly workflow: {
    getHandle(workflowId: string): {
      signal(name: string, ...args: readonly unknown[]): Promise<void>;
      describe(): Promise<{ readonly type: string; readonly status: { readonly name: string } }>;
    };
  };
}

/** The part of it by which a signal names its sender, and encodes its arguments as the client does. */
interface NamingClient {
  readonly options: {
    readonly loadedDataConverter: { readonly payloadConverter: { toPayload(value: unknown): unknown } };
  };
  readonly workflowService: {
    signalWorkflowExecution(request: {
      readonly namespace: string;
      readonly workflowExecution: { readonly workflowId: string };
      readonly signalName: string;
      readonly input?: { readonly payloads: readonly unknown[] };
      readonly identity: string;
      readonly requestId: string;
    }): Promise<unknown>;
  };
}

/** Options of {@link signalWorkflow}. @public */
export interface SignalWorkflowOptions {
  /**
   * The name of the person or service that sends the signal; the history of the workflow keeps it as the identity of the event,
   * `gantry: <name>`. The identity is that of the process unless given.
   */
  readonly requestedBy?: string | undefined;
  /** Arguments of the signal: values of JSON; none unless given. */
  readonly args?: readonly unknown[];
}

/** Options of {@link callTemporal}. @public */
export interface CallTemporalOptions {
  /** Milliseconds for all calls together; five seconds unless given. */
  readonly timeoutMs?: number;
}

/**
 * Runs calls to Temporal on behalf of a request: within five seconds in all. If Temporal is unavailable, slow, or
 * rejects the settings, they fail with `UNAVAILABLE` instead of an error of its client; if it refuses connections,
 * within three seconds. A call that timed out may still arrive.
 * @throws GantryError UNAVAILABLE, whose message says which of the three it is
 * @example const run = await callTemporal(context.temporal, (client: Client) => client.workflow.getHandle(id).describe());
 * @public
 */
export async function callTemporal<C extends DeadlineClient, R>(
  temporal: Temporal,
  work: (client: C) => Promise<R>,
  { timeoutMs = defaultTimeoutMs }: CallTemporalOptions = {},
): Promise<R> {
  const client = await temporal.client<C>();
  try {
    return await client.withDeadline(Date.now() + timeoutMs, () => work(client));
  } catch (error) {
    const trouble = failureOf(error);
    throw trouble === undefined ? error : unavailable(failureMessages[trouble](timeoutMs), error);
  }
}

/** The outcome of a signal: a workflow that has ended takes none, one that never was is unknown. @public */
export type SignalOutcome = 'accepted' | 'ended' | 'unknown';

/**
 * Sends a signal and returns whether it will be processed. Temporal answers the same for a workflow
 * that has ended and for one that never existed; a second call distinguishes the two. One that is running by then was
 * started in between, and is signalled again.
 * @param workflowType If given, a workflow of another type with the id is reported as unknown, and not signalled.
 * @throws GantryError UNAVAILABLE
 * @example const outcome = await signalWorkflow(temporal, id, 'accepted', 'repair', \{ requestedBy: signedInName(caller) \});
 * @public
 */
export function signalWorkflow(
  temporal: Temporal,
  workflowId: string,
  signalName: string,
  workflowType?: string,
  { requestedBy, args = [] }: SignalWorkflowOptions = {},
): Promise<SignalOutcome> {
  return callTemporal(temporal, async (client: SignallingClient & NamingClient) => {
    const handle = client.workflow.getHandle(workflowId);
    const signal = () =>
      requestedBy === undefined
        ? handle.signal(signalName, ...args)
        : client.workflowService.signalWorkflowExecution({
            namespace: temporal.namespace,
            workflowExecution: { workflowId },
            signalName,
            ...(args.length === 0 ? {} : { input: { payloads: args.map((value) => payloadOf(client, value)) } }),
            identity: `gantry: ${requestedBy}`,
            requestId: crypto.randomUUID(),
          });
    if (workflowType !== undefined) {
      const found = await unlessNotFound(() => handle.describe());
      if (found?.type !== workflowType) return 'unknown';
    }
    for (;;) {
      const accepted = await unlessNotFound(() => signal().then(() => 'accepted' as const));
      if (accepted !== undefined) return accepted;
      const description = await unlessNotFound(() => handle.describe());
      if (description === undefined) return 'unknown';
      if (description.status.name !== 'RUNNING') return 'ended';
      await new Promise((resolve) => setTimeout(resolve, signalAgainAfterMs));
    }
  });
}

function payloadOf({ options }: NamingClient, value: unknown): unknown {
  return options.loadedDataConverter.payloadConverter.toPayload(value);
}

/** Recognised by name, because the class may come from another copy of @temporalio/client. @public */
export function isWorkflowNotFound(error: unknown): boolean {
  return error instanceof Error && error.name === 'WorkflowNotFoundError';
}

/** @returns undefined when Temporal knows no such workflow */
async function unlessNotFound<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isWorkflowNotFound(error) || isNotFoundAnswer(error)) return undefined;
    throw error;
  }
}

/** The error of a raw service call. An answer about the namespace is a failure of the settings. */
function isNotFoundAnswer(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === notFoundCode &&
    !isNamespaceNotFound(error)
  );
}

/** Errors that keep Temporal itself from being used. */
type Failure = 'unavailable' | 'slow' | 'refused';

/**
 * Undefined for errors that are about a workflow or a request. The client wraps a gRPC error as the cause of another error; raw
 * service calls throw it as it is.
 */
function failureOf(error: unknown): Failure | undefined {
  if (typeof error !== 'object' || error === null || isGantryError(error)) return undefined;
  if ('code' in error && unavailableCodes.includes(error.code)) return 'unavailable';
  if ('code' in error && slowCodes.includes(error.code)) return 'slow';
  if (('code' in error && refusalCodes.includes(error.code)) || isNamespaceNotFound(error)) return 'refused';
  return 'cause' in error ? failureOf(error.cause) : undefined;
}

/** The client has a separate error for it, which raw service calls do not throw. */
function isNamespaceNotFound(error: object): boolean {
  if ('name' in error && error.name === 'NamespaceNotFoundError') return true;
  const details = 'details' in error ? String(error.details) : '';
  return 'code' in error && error.code === notFoundCode && /^Namespace \S+ is not found/.test(details);
}

const failureMessages: Readonly<Record<Failure, (timeoutMs: number) => string>> = {
  unavailable: () => 'Temporal is unavailable. No data is lost; send the request again in a few seconds.',
  slow: (timeoutMs) =>
    `Temporal did not answer within ${timeoutMs / 1_000} seconds; it is slow or overloaded. No data is lost; send the request again in a few seconds, or request less data.`,
  refused: () =>
    'Temporal cannot be used with the settings of the platform; GET /readyz reports what to correct. No data is lost.',
};

function unavailable(message: string, cause: unknown): GantryError {
  return new GantryError('UNAVAILABLE', message, {
    cause,
    headers: { 'Retry-After': retryAfterSeconds },
  });
}
