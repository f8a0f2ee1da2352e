import type { PresenceQuestion } from '@gantry/contracts';

/** A request is refused until the reader proves to be present. Who handles it sets the answer. */
class PresenceEvent extends Event {
  /** Resolves with whether the reader has proven it. */
  answer: Promise<boolean> | undefined;

  constructor(readonly question: PresenceQuestion) {
    super(name);
  }
}

const target = new EventTarget();
const name = 'presence-required';

export const presencePath = '/api/platform/account/presence';

/** Asks the reader for a proof of presence. @returns false when the reader gives none, or nothing on the page asks for it */
export async function askForPresence(question: PresenceQuestion): Promise<boolean> {
  const event = new PresenceEvent(question);
  target.dispatchEvent(event);
  return (await event.answer) ?? false;
}

/** @returns a function that ends the subscription */
export function onPresenceRequired(ask: (question: PresenceQuestion) => Promise<boolean>): () => void {
  const listener = (event: Event): void => {
    if (event instanceof PresenceEvent) event.answer = ask(event.question);
  };
  target.addEventListener(name, listener);
  return () => target.removeEventListener(name, listener);
}
