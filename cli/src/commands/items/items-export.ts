import { chmod, realpath, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportItems, formatOfFile, systemScope } from '@gantry/host';
import type { CommandContext } from '../../context/command-context';
import { interruptible } from '../../common/interruption';
import { openOutput } from '../../context/open-output';
import { startProgress } from '../../terminal/progress';
import { counted } from '../../terminal/table';
import { findType, withContent } from '../../context/with-content';
import { exportOverHttp } from './items-over-http';
import type { ExportArguments, ExportRun } from './items-runs';

/** `gantry items export <type> [file]`: a file that the import takes as it is. */
export async function exportToFile(context: CommandContext, options: ExportArguments): Promise<number> {
  const toFile = options.file !== '-';
  const format = options.format ?? (toFile ? formatOfFile(options.file) : 'jsonl');
  const items = await interruptible(
    toFile ? `${options.file} was not written.` : 'The output is incomplete.',
    async (signal) => {
      const run = { ...options, format, signal };
      if (context.url === undefined) return runExport(context, run);
      await writeExport(run, exportOverHttp(context, context.url, run));
      return undefined;
    },
  );
  if (items === undefined) {
    if (context.json && toFile) context.terminal.printJson({ file: options.file });
    else if (toFile) context.terminal.print(`Exported the items to ${options.file}.`);
  } else if (context.json && toFile) context.terminal.printJson({ items, file: options.file });
  else if (toFile) context.terminal.print(`Exported ${counted(items, 'item')} to ${options.file}.`);
  return 0;
}

async function runExport(context: CommandContext, run: ExportRun): Promise<number> {
  return withContent(context, 'gantry items export', run.signal, async (opened) => {
    const { content } = opened;
    const { descriptor: type } = findType(opened, run.type);
    const progress = startProgress(context.terminal, `Exporting ${run.type}`, undefined);
    let written = 0;
    const text = exportItems(systemScope(content.policies.open, 'gantry items export'), {
      ...run,
      type,
      database: content.database,
      onProgress: (items) => progress.update(0, (written = items)),
    });
    try {
      await writeExport(run, text);
      return written;
    } finally {
      progress.stop();
    }
  });
}

async function writeExport({ file, signal }: ExportRun, text: AsyncIterable<string | Uint8Array>): Promise<void> {
  if (file === '-') await pipeline(Readable.from(text), process.stdout, { end: false, signal });
  else await writeWhole(file, text, signal);
}

/** The file appears when it is complete; an earlier one stays until then. */
async function writeWhole(file: string, text: AsyncIterable<string | Uint8Array>, signal: AbortSignal): Promise<void> {
  const earlier = await stat(file).catch(() => undefined);
  if (earlier !== undefined && !earlier.isFile()) {
    // A pipe or a device is written to as it is; another file in its place would take it away from everyone.
    await pipeline(Readable.from(text), await openOutput(file), { signal });
    return;
  }
  // A link stays one.
  const target = earlier === undefined ? file : await realpath(file);
  const draft = `${target}.${process.pid}.partial`;
  try {
    await pipeline(Readable.from(text), await openOutput(draft, file), { signal });
    if (earlier !== undefined) await chmod(draft, earlier.mode);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
