import { isGantryError, type PluginContext, type PluginHealth } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';

/** Less than what the host waits for an answer. */
const timeoutMs = 1_000;

/** Everything that this service answers comes from Temporal, and it has no worker whose state would show it. */
export async function temporalHealth({ temporal }: Pick<PluginContext, 'temporal'>): Promise<PluginHealth> {
  try {
    const client = await temporal.client<Client>();
    const { namespace } = temporal;
    await client.withDeadline(Date.now() + timeoutMs, () => client.workflowService.describeNamespace({ namespace }));
    return { status: 'up' };
  } catch (error) {
    const reason = isGantryError(error) ? error.message : 'Temporal does not answer.';
    return { status: 'down', message: `${reason} Requests to operations get 503 until it answers.` };
  }
}
