import { findRunningPlatform } from '@gantry/launcher';
import { settingsOf, type CommandContext } from './command-context';

/** The address of the platform that runs on the home, once it is ready. */
export function runningAddress(context: CommandContext): string | undefined {
  return findRunningPlatform(settingsOf(context).home)?.address;
}

/** The JSON of a path of the running platform. @throws Error with a remedy when it does not answer well */
export async function readFromPlatform(address: string, path: string): Promise<unknown> {
  const failed = (reason: string, cause?: unknown) =>
    Object.assign(new Error(`The platform at ${address} does not answer: ${reason}.`, { cause }), {
      remedy: 'Wait until it is ready, or stop it; the command then works without it.',
    });
  let response: Response;
  try {
    response = await fetch(new URL(path, address), { signal: AbortSignal.timeout(10_000) });
  } catch (error) {
    throw failed('it cannot be reached', error);
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body;
  const message = (body as { readonly error?: { readonly message?: string } } | undefined)?.error?.message;
  if (response.status === 404 && message !== undefined) return undefined;
  throw failed(message ?? `status ${response.status}`);
}
