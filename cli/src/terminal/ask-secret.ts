import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Interrupted } from '../common/failure';
import type { Terminal } from './terminal';

/** Asks a person for a secret, and does not show what is typed. @throws Interrupted on Ctrl-C */
export async function askSecret({ stderr }: Terminal, question: string): Promise<string> {
  stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('SIGINT', () => reject(new Interrupted('Interrupted. Nothing was stored.')));
      lines.once('close', () => resolve(''));
      lines.question('').then(resolve, reject);
    });
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
