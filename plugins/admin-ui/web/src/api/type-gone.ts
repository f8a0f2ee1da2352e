const target = new EventTarget();
const name = 'type-gone';

/** Called when a request finds that the platform no longer has the type of a page. */
export function notifyTypeGone(): void {
  target.dispatchEvent(new Event(name));
}

export function onTypeGone(listener: () => void): void {
  target.addEventListener(name, listener);
}
