import type { Client } from '@temporalio/client';

interface Known {
  readonly id: Promise<string>;
  readonly readAt: number;
}

/** Long enough that orders do not ask for it one by one; a Temporal that was set up again is noticed soon. */
const maxAgeMs = 5_000;

const knownByClient = new WeakMap<Client, Known>();

/**
 * Reads the id of the namespace, once in five seconds for each client. A Temporal that was set up again has another id and no
 * orders yet, even if rows of the previous one exist.
 */
export function readNamespaceId(client: Client): Promise<string> {
  const known = knownByClient.get(client);
  if (known !== undefined && performance.now() - known.readAt < maxAgeMs) return known.id;
  const added: Known = { id: describeNamespace(client), readAt: performance.now() };
  knownByClient.set(client, added);
  // A failed request is repeated at once.
  added.id.catch(() => {
    if (knownByClient.get(client) === added) knownByClient.delete(client);
  });
  return added.id;
}

async function describeNamespace(client: Client): Promise<string> {
  const { namespaceInfo } = await client.workflowService.describeNamespace({ namespace: client.options.namespace });
  return namespaceInfo?.id ?? '';
}
