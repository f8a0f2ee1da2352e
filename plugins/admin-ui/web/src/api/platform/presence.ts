import type { PresenceQuestion } from '@gantry/contracts';

export const presencePath = '/api/platform/account/presence';

/** Resolves with whether the reader has proven to be present. */
type AskForPresence = (question: PresenceQuestion) => Promise<boolean>;

let handler: AskForPresence | undefined;

/** Asks the reader for a proof of presence. @returns false when the reader gives none, or nothing on the page asks for it */
export async function askForPresence(question: PresenceQuestion): Promise<boolean> {
  return (await handler?.(question)) ?? false;
}

/** Sets what asks the reader; the frame of the pages does, once. */
export function handlePresenceRequired(ask: AskForPresence): void {
  handler = ask;
}
