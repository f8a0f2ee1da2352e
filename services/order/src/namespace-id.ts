import type { Client } from '@temporalio/client';

/** A Temporal that was set up anew has no orders yet, whatever the rows of the one before say. */
export async function readNamespaceId(client: Client): Promise<string> {
  const { namespaceInfo } = await client.workflowService.describeNamespace({ namespace: client.options.namespace });
  return namespaceInfo?.id ?? '';
}
