import { messageOf } from '@gantry/core-common';
import type { Logger } from '@gantry/core-common';
import type { TemporalPorts } from './runtime-file';

/** What the development server gives a namespace by itself: too short for an order that fails before a weekend. */
const ofTheServer = '86400s';
/** Thirty days. */
const ours = '2592000s';
const answerWithinMs = 2_000;

export interface KeepHistoriesOptions {
  readonly ports: Pick<TemporalPorts, 'http'>;
  readonly namespace: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Has workflows kept for thirty days after their end, instead of one. A retention that somebody else has set for the namespace is kept.
 * Never rejects: the platform works without it.
 */
export async function keepHistories({ ports, namespace, logger, signal }: KeepHistoriesOptions): Promise<void> {
  const address = `http://127.0.0.1:${ports.http}/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  try {
    if ((await callNamespace(address, signal)).config?.workflowExecutionRetentionTtl !== ofTheServer) return;
    await callNamespace(`${address}/update`, signal, { config: { workflowExecutionRetentionTtl: ours } });
  } catch (error) {
    if (!signal.aborted) logger.warn('Temporal keeps ended workflows for one day only', { reason: messageOf(error) });
  }
}

interface Namespace {
  readonly config?: { readonly workflowExecutionRetentionTtl?: string };
}

async function callNamespace(address: string, stopped: AbortSignal, body?: object): Promise<Namespace> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(answerWithinMs)]);
  const response = await fetch(address, { ...(body === undefined ? {} : post), signal });
  if (!response.ok) throw new Error(`${address} answers with status ${response.status}`);
  return (await response.json()) as Namespace;
}
