import { messageOf } from '@gantry/core-common';
import { readEmbeddedState } from './embedded-state';
import type { TemporalSettings } from './settings';

const meanwhile = 'Orders and operations wait, and continue automatically when Temporal is available.';

/** Why Temporal cannot be used, and what to do; each in sentences. */
export interface TemporalAbsence {
  readonly reason: string;
  readonly remedy: string;
}

/** Reason and remedy when Temporal cannot be used, as one text. */
export async function explainAbsence(settings: TemporalSettings, error: unknown): Promise<string> {
  const { reason, remedy } = await absenceOf(settings, error);
  return `${reason} ${remedy}`;
}

/** The same in its two parts. */
export async function absenceOf(settings: TemporalSettings, error: unknown): Promise<TemporalAbsence> {
  const { address, namespace, stateFile } = settings;
  if (stateFile !== undefined) {
    const embedded = await readEmbeddedState(stateFile);
    if (embedded !== undefined && embedded.state !== 'running') {
      return { reason: embedded.message, remedy: embedded.remedy };
    }
    return { reason: 'The embedded Temporal does not answer.', remedy: meanwhile };
  }
  const failure = messageOf(error);
  if (/not_?found/i.test(failure)) {
    return {
      reason: `The Temporal at ${address} has no namespace "${namespace}".`,
      remedy: `Create it (temporal operator namespace create --namespace ${namespace}), or correct TEMPORAL_NAMESPACE.`,
    };
  }
  if (/unauthenticated|permission_?denied/i.test(failure)) {
    return {
      reason: `The Temporal at ${address} does not allow this platform to use the namespace "${namespace}".`,
      remedy: 'Correct TEMPORAL_API_KEY, the certificate of TEMPORAL_TLS_CLIENT_CERT_PATH, or TEMPORAL_NAMESPACE.',
    };
  }
  return {
    reason: `The Temporal at ${address} (TEMPORAL_ADDRESS) does not answer.`,
    remedy: `Start it, or correct that address and the TEMPORAL_TLS variables. ${meanwhile}`,
  };
}

/** Without TEMPORAL_ADDRESS, in a host that was not started by `gantry up`. */
export const notConnected = `No Temporal is connected. Start with \`gantry up\`, which includes one, or set TEMPORAL_ADDRESS. ${meanwhile}`;
