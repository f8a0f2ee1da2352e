const target = new EventTarget();
const name = 'session-ended';

/** Called when the platform refuses a request because nobody is signed in any more. */
export function notifySessionEnded(): void {
  target.dispatchEvent(new Event(name));
}

/** @returns a function that ends the subscription */
export function onSessionEnded(listener: () => void): () => void {
  target.addEventListener(name, listener);
  return () => target.removeEventListener(name, listener);
}
