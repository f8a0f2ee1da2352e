import { createInterface } from 'node:readline/promises';
import { Interrupted } from '../common/failure';
import { UsageError } from '../common/usage-error';
import type { Terminal } from './terminal';

/**
 * Refuses to act without a terminal (a script, a pipe), unless the command line says yes.
 * @throws UsageError
 */
export function assertAskable({ isWatched }: Terminal, yes: boolean, what: string): void {
  if (yes || (isWatched && process.stdin.isTTY)) return;
  throw new UsageError(
    `${what} needs a confirmation, and there is no terminal for the question. Add --yes to confirm.`,
  );
}

/**
 * Asks a person for a confirmation.
 * @throws Interrupted on Ctrl-C
 */
export async function confirm({ stderr }: Terminal, question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: stderr });
  try {
    const answer = await new Promise<string>((resolve, reject) => {
      lines.once('SIGINT', () => reject(new Interrupted('Interrupted. Nothing was done.')));
      lines.once('close', () => resolve(''));
      lines.question(`${question} [y/N] `).then(resolve, reject);
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
