const target = new EventTarget();
const name = 'type-gone';

/** Told that a page works with a type which the platform no longer knows, whatever request found that out. */
export function notifyTypeGone(): void {
  target.dispatchEvent(new Event(name));
}

export function onTypeGone(listener: () => void): void {
  target.addEventListener(name, listener);
}
