import type { PresenceProof, PresenceQuestion } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api/errors';

/** Minutes for which a proof of presence is enough. */
export const presentMinutes = 10;

/** A session alone is not enough for the change; the answer says what is. */
export class PresenceRequired extends GantryError {
  constructor(readonly question: PresenceQuestion) {
    super('PRESENCE_REQUIRED', messageFor(question.proofs));
  }
}

function messageFor(proofs: readonly PresenceProof[]): string {
  const [proof] = proofs;
  const reason = `This change outlasts the session: prove within the last ${presentMinutes} minutes that you are present`;
  if (proof === undefined) return `${reason}. Your account has no proof: ask an administrator to reset its password.`;
  return `${reason}, with POST /api/platform/account/presence or on a page of the platform. Possible: ${proofs.join(', ')}.`;
}
