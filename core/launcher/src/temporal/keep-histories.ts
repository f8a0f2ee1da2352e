import { messageOf, type Logger } from '@gantry/core-common';
import { callNamespace } from './http-api';
import type { HttpApi } from './http-api';

/** The retention that the development server gives a namespace: too short for an order that fails before a weekend. */
const ofTheServer = '86400s';
/** Thirty days. */
const ours = '2592000s';

export interface KeepHistoriesOptions {
  readonly api: HttpApi;
  readonly namespace: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Has workflows kept for thirty days after their end, instead of one. A retention that somebody else has set for the namespace is kept.
 * Never rejects: the platform works without it.
 */
export async function keepHistories({ api, namespace, logger, signal }: KeepHistoriesOptions): Promise<void> {
  const ask = async (path?: string, body?: object): Promise<Namespace> => {
    const answer = await callNamespace(api, namespace, {
      stopped: signal,
      ...(path && { path }),
      ...(body && { body }),
    });
    if (answer.status !== 200) throw new Error(`its HTTP API answers with status ${answer.status}`);
    return JSON.parse(answer.body) as Namespace;
  };
  try {
    if ((await ask()).config?.workflowExecutionRetentionTtl !== ofTheServer) return;
    await ask('/update', { config: { workflowExecutionRetentionTtl: ours } });
  } catch (error) {
    if (!signal.aborted) logger.warn('Temporal keeps ended workflows for one day only', { reason: messageOf(error) });
  }
}

interface Namespace {
  readonly config?: { readonly workflowExecutionRetentionTtl?: string };
}
