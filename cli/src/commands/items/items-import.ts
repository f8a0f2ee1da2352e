import { createReadStream, statSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import {
  formatOfFile,
  importItems,
  systemScope,
  type ImportOutcome,
  type ImportProblem,
  type TransferFormat,
} from '@gantry/host';
import type { CommandContext } from '../../context/command-context';
import { interruptible } from '../../common/interruption';
import { openOutput } from '../../context/open-output';
import { plain } from '../../common/plain';
import { startProgress } from '../../terminal/progress';
import { counted } from '../../terminal/table';
import { findType, withContent } from '../../context/with-content';
import { UsageError } from '../../common/usage-error';
import { importOverHttp } from './items-over-http';
import type { ImportArguments, ImportRun } from './items-runs';
import { withRemedy } from '../../common/with-remedy';

/** Problems that are shown; all of them are in the report. */
const maxShown = 20;

/** `gantry items import <type> <file>`: all of the file or nothing. */
export async function importFile(context: CommandContext, options: ImportArguments): Promise<number> {
  const format = options.format ?? formatOf(options.file);
  const size = sizeOf(options.file);
  if (options.report !== undefined) assertOther(options.report, options.file);
  const { url } = context;
  if (url !== undefined) {
    return interruptible('The import may have been written. Check the items.', (signal) =>
      importRemotely(context, url, { ...options, format, size, signal }),
    );
  }
  const { shown, outcome } = await interruptible('Nothing was written.', (signal) =>
    runImport(context, { ...options, format, size, signal }),
  );
  const isSound = outcome.problems === 0;
  if (context.json) {
    context.terminal.printJson({ ...outcome, dryRun: options.dryRun, shownProblems: shown });
    return isSound ? 0 : 1;
  }
  for (const problem of shown) context.terminal.error(describeProblem(problem));
  if (isSound) context.terminal.print(summary(outcome, options));
  else context.terminal.error(refusal(outcome, shown.length, options));
  return isSound ? 0 : 1;
}

/** The platform says itself what is wrong with the file. */
async function importRemotely(context: CommandContext, url: string, run: ImportRun): Promise<number> {
  const shown: ImportProblem[] = [];
  const report = await openReport(run.report);
  const progress = startProgress(context.terminal, `Importing ${run.type}`, run.size);
  try {
    const outcome = await importOverHttp(context, url, { ...run, bytes: openInput(run) }, (line) => {
      if ('progress' in line) progress.update(line.progress.read, line.progress.items);
      else {
        if (shown.length < maxShown) shown.push(line.problem);
        report?.write(`${JSON.stringify(line.problem)}\n`);
      }
    });
    if (context.json) context.terminal.printJson({ ...outcome, shownProblems: shown });
    else if (outcome.problems === 0) context.terminal.print(summary(outcome, run));
    else context.terminal.error(refusal(outcome, shown.length, run));
    return outcome.problems === 0 ? 0 : 1;
  } finally {
    progress.stop();
    await closeReport(report);
    if (!context.json) for (const problem of shown) context.terminal.error(describeProblem(problem));
  }
}

async function runImport(context: CommandContext, run: ImportRun) {
  return withContent(context, 'gantry items import', run.signal, async (opened) => {
    const { content, config } = opened;
    const type = findType(opened, run.type);
    const shown: ImportProblem[] = [];
    const report = await openReport(run.report);
    const progress = startProgress(context.terminal, `Importing ${run.type}`, run.size);
    let bytesRead = 0;
    try {
      const outcome = await importItems(systemScope(content.policies.open, 'gantry items import'), {
        ...run,
        type,
        bulk: content.bulk,
        maxLineLength: config.importLineLimit,
        bytes: counting(openInput(run), (count) => (bytesRead += count)),
        onProblem: (problem) => {
          if (shown.length < maxShown) shown.push(problem);
          report?.write(`${JSON.stringify(problem)}\n`);
        },
        onProgress: (items) => progress.update(bytesRead, items),
      });
      return { shown, outcome };
    } finally {
      progress.stop();
      await closeReport(report);
    }
  });
}

function formatOf(file: string): TransferFormat {
  if (file === '-') {
    throw withRemedy(
      'The format of standard input is not known.',
      'Add --format jsonl, --format json or --format csv.',
    );
  }
  return formatOfFile(file);
}

/** Size of the file in bytes; fails at once if there is no file. */
function sizeOf(file: string): number | undefined {
  if (file === '-') return undefined;
  const found = statSync(file);
  if (found.isDirectory()) throw withRemedy(`${file} is a folder.`, 'Name a file.');
  return found.isFile() ? found.size : undefined;
}

/** @throws UsageError when the report would be written over the file that is imported */
function assertOther(report: string, file: string): void {
  if (file === '-') return;
  const [imported, written] = [statSync(file), statSync(report, { throwIfNoEntry: false })];
  if (!imported.isFile() || written?.ino !== imported.ino || written.dev !== imported.dev) return;
  throw new UsageError(`--report names ${file}, the file that is imported.`, 'Name another file for the report.');
}

/** @throws the signal's reason when it has aborted: an open standard input would keep the process alive. */
function openInput({ file, signal }: ImportRun): AsyncIterable<Uint8Array> {
  signal.throwIfAborted();
  if (file !== '-') return createReadStream(file, { signal, highWaterMark: 256 * 1024 });
  signal.addEventListener('abort', () => process.stdin.destroy(), { once: true });
  return process.stdin;
}

async function* counting(
  bytes: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of bytes) {
    count(chunk.byteLength);
    yield chunk;
  }
}

async function openReport(file: string | undefined): Promise<WriteStream | undefined> {
  if (file === undefined) return undefined;
  const report = await openOutput(file);
  // Errors in between are reported when it is closed.
  return report.on('error', () => undefined);
}

async function closeReport(report: WriteStream | undefined): Promise<void> {
  if (report === undefined) return;
  report.end();
  await finished(report);
}

/** Messages name the field, but for those of a model's own validators. */
function describeProblem({ line, path, message }: ImportProblem): string {
  return plain(`Line ${line}: ${message.includes(path) ? message : `${path}: ${message}`}`);
}

function summary({ items, created, updated, unchanged }: ImportOutcome, { dryRun, match }: ImportArguments): string {
  if (items === 0) return 'The file has no items.';
  const parts = match.length === 0 ? [] : [`${created} new`, `${updated} changed`, `${unchanged} unchanged`];
  const details = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  return dryRun
    ? `${counted(items, 'item')} can be imported${details}. Nothing was written.`
    : `Imported ${counted(items, 'item')}${details}.`;
}

function refusal(
  { items, badItems, problems }: ImportOutcome,
  shown: number,
  { report, dryRun }: ImportArguments,
): string {
  const rest = problems - shown;
  const where =
    report === undefined ? 'with --report <file> all of them are written to a file' : `all of them are in ${report}`;
  const more = rest > 0 ? `${counted(rest, 'more problem')}; ${where}.\n` : '';
  const isAre = badItems === 1 ? 'is' : 'are';
  const end = dryRun ? 'This was a dry run: nothing was written.' : 'Nothing was written.';
  return `${more}${counted(badItems, 'item')} of ${items.toLocaleString('en')} ${isAre} not acceptable. ${end}`;
}
