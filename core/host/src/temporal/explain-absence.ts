import { readEmbeddedState } from './embedded-state';
import type { TemporalSettings } from './settings';

const meanwhile = 'Orders and operations wait and go on by themselves when it is there.';

/** What a person needs to know when Temporal cannot be used: what is wrong, and what to do. */
export async function explainAbsence(settings: TemporalSettings, error: unknown): Promise<string> {
  const { address, namespace, stateFile } = settings;
  if (stateFile !== undefined) {
    const embedded = await readEmbeddedState(stateFile);
    if (embedded !== undefined && embedded.state !== 'running') return `${embedded.message} ${embedded.remedy}`;
    return `The embedded Temporal does not answer. ${meanwhile}`;
  }
  const failure = textOf(error);
  if (/not_?found/i.test(failure)) {
    return (
      `The Temporal at ${address} has no namespace "${namespace}". ` +
      `Create it (temporal operator namespace create --namespace ${namespace}), or correct TEMPORAL_NAMESPACE.`
    );
  }
  if (/unauthenticated|permission_?denied/i.test(failure)) {
    return (
      `The Temporal at ${address} does not let us use the namespace "${namespace}". ` +
      'Correct TEMPORAL_API_KEY, the certificate of TEMPORAL_TLS_CLIENT_CERT_PATH, or TEMPORAL_NAMESPACE.'
    );
  }
  return `The Temporal at ${address} (TEMPORAL_ADDRESS) does not answer. Start it, or correct that address and the TEMPORAL_TLS variables. ${meanwhile}`;
}

/** Without TEMPORAL_ADDRESS, in a host that was not started by `gantry up`. */
export const notConnected = `No Temporal is connected. Start with \`gantry up\`, which brings one, or set TEMPORAL_ADDRESS. ${meanwhile}`;

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
