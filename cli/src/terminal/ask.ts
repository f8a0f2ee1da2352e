import { createInterface } from 'node:readline/promises';
import { Interrupted } from '../common/failure';
import type { Terminal } from './terminal';

/** Whether a person can be asked. */
export function isAskable({ isWatched }: Terminal): boolean {
  return isWatched && process.stdin.isTTY;
}

/** Asks a person for texts, one question after the other. @throws Interrupted on Ctrl-C */
export async function ask<T>(
  { stderr }: Terminal,
  questions: (question: (text: string) => Promise<string>) => Promise<T>,
): Promise<T> {
  const lines = createInterface({ input: process.stdin, output: stderr });
  const interrupted = new Promise<never>((_resolve, reject) => {
    lines.once('SIGINT', () => reject(new Interrupted('Interrupted. Nothing was done.')));
  });
  try {
    return await Promise.race([questions(async (text) => (await lines.question(text)).trim()), interrupted]);
  } finally {
    lines.close();
  }
}
