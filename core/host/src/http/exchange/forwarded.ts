import type { IncomingMessage } from 'node:http';

/** Whether a proxy has passed the request on. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  for (const name in headers) {
    if (name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded-')) return true;
  }
  return false;
}
