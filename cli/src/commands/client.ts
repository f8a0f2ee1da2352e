import { writeFile } from 'node:fs/promises';
import { printClientTypes } from '@gantry/client/generate';
import type { CommandContext } from '../context/command-context';
import { currentDocument } from './openapi';

/** `gantry client generate` */
export async function generateClient(context: CommandContext, file: string | undefined): Promise<number> {
  const text = printClientTypes(await currentDocument(context));
  if (file === undefined || file === '-') {
    context.terminal.stdout.write(text);
    return 0;
  }
  await writeFile(file, text);
  context.terminal.print(`Wrote the types of the client to ${file}.`);
  return 0;
}
