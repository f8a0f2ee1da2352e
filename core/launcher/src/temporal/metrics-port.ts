import { tryPort } from '../common/free-port';

/**
 * Ports that browsers do not connect to (the "bad ports" of the Fetch standard), without those of widespread services. The server
 * cannot run without its metrics, which answer any `Host`: on one of these, no page in a browser reads them.
 */
const refusedByBrowsers = [6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 6566, 3659, 4045, 4190] as const;

/** @returns a free one, or undefined where other programs have all of them. */
export async function chooseMetricsPort(): Promise<number | undefined> {
  // Servers that start at the same time do not all choose the same one.
  const first = Math.floor(Math.random() * refusedByBrowsers.length);
  for (const port of [...refusedByBrowsers.slice(first), ...refusedByBrowsers.slice(0, first)]) {
    if ('port' in (await tryPort(port))) return port;
  }
  return undefined;
}
