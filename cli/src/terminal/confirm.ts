import { createInterface } from 'node:readline/promises';
import { Interrupted } from '../failure';
import type { Terminal } from './terminal';

/**
 * Asks a person whether to go on. Where nobody sits (a script, a pipe) nothing is asked: giving the command was the answer.
 * @throws Interrupted on Ctrl-C
 */
export async function confirm({ isWatched, stderr }: Terminal, question: string): Promise<boolean> {
  if (!isWatched || !process.stdin.isTTY) return true;
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
