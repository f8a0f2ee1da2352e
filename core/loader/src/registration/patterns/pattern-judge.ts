import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** Texts to choose one of, such as `(png|jpg)`, as a part that does not repeat. */
const choice = /\((?:\?:)?[^()|*+?{}[\]\\]+(?:\|[^()|*+?{}[\]\\]+)+\)(?![*+?{])/u;

/**
 * Whether a pattern is safe at a glance: single characters and classes, fixed counts of them, at most one choice of texts, and at
 * most one character or class that repeats freely. Such a pattern has no more ways to match the same text than texts to choose of.
 */
export function isPlainPattern(source: string): boolean {
  const body = /^\^\(\?:(.*)\)\$$/su.exec(source)?.[1];
  if (body === undefined) return false;
  const atoms = body
    .replaceAll(/\\(?:[dDsSwW]|[-^$\\.*+?()[\]{}|/])|\[\^?(?:\\.|[^\]\\])*\]/gsu, 'a')
    .replace(choice, 'a')
    .replaceAll(/\{\d{1,3}\}/gu, '');
  const repeats = /[*+?]|\{\d{1,3},(?:\d{1,3})?\}/gu;
  return (atoms.match(repeats) ?? []).length <= 1 && !/[()|\\[\]{}*+?]/u.test(atoms.replaceAll(repeats, ''));
}

/** How the time of a pattern grows with the length of a text; a number is the degree of a polynomial. */
export type PatternVerdict = 'safe' | 'exponential' | 'undecided' | number;

/** Judges how long regular expressions can take. */
export interface PatternJudge {
  /** @param source of a regular expression with the flag u */
  judge(source: string): Promise<PatternVerdict>;
  /** Ends the thread, and keeps the verdicts for the next start. */
  close(): Promise<void>;
}

const verdictsSchema = z.object({
  formatVersion: z.literal(1),
  verdicts: z.record(z.string(), z.union([z.literal(['safe', 'exponential']), z.int().min(2)])),
});

type Verdicts = ReadonlyMap<string, PatternVerdict>;

/** Seen from the sources as well as from the build. */
const folder = join(__dirname, '..', '..', '..');
const threadFile = join(folder, 'dist', 'registration', 'patterns', 'judge-thread.js');
/** The thread has its own limit; this one is for a thread that does not reach it. */
const answerTimeoutMs = 20_000;
const maxKept = 1_000;

/** Plain patterns are judged here, known ones from the home folder, and only the rest costs a thread and its time. */
export function createPatternJudge(home: string): PatternJudge {
  let known: Promise<Verdicts> | undefined;
  let thread: Worker | undefined;
  const found = new Map<string, PatternVerdict>();
  const judgeInThread = async (source: string): Promise<PatternVerdict> => {
    thread ??= new Worker(threadFile);
    const verdict = await answerOf(thread, source);
    if (verdict === undefined) {
      await thread.terminate();
      thread = undefined;
    }
    return verdict ?? 'undecided';
  };
  return {
    async judge(source) {
      if (isPlainPattern(source)) return 'safe';
      known ??= readVerdicts(home);
      const verdict = found.get(source) ?? (await known).get(source) ?? (await judgeInThread(source));
      found.set(source, verdict);
      return verdict;
    },
    async close() {
      await thread?.terminate();
      thread = undefined;
      const before = (await known) ?? new Map<string, PatternVerdict>();
      const isNew = [...found].some(([source, verdict]) => verdict !== 'undecided' && !before.has(source));
      // Only saves time at the next start.
      if (isNew) await writeVerdicts(home, new Map([...found, ...before])).catch(() => undefined);
    },
  };
}

/** @returns undefined when none comes */
function answerOf(thread: Worker, source: string): Promise<PatternVerdict | undefined> {
  return new Promise((resolve) => {
    const finish = (verdict?: PatternVerdict): void => {
      clearTimeout(timer);
      thread.off('message', finish).off('error', fail);
      resolve(verdict);
    };
    const fail = (): void => finish();
    const timer = setTimeout(fail, answerTimeoutMs);
    thread.once('message', finish).once('error', fail);
    thread.postMessage(source, []);
  });
}

function verdictsFile(home: string): string {
  return join(home, 'cache', 'patterns.json');
}

async function readVerdicts(home: string): Promise<Verdicts> {
  try {
    const { verdicts } = verdictsSchema.parse(JSON.parse(await readFile(verdictsFile(home), 'utf8')));
    return new Map(Object.entries(verdicts));
  } catch {
    return new Map();
  }
}

async function writeVerdicts(home: string, verdicts: Verdicts): Promise<void> {
  const decided = [...verdicts].filter(([, verdict]) => verdict !== 'undecided').slice(0, maxKept);
  const file = verdictsFile(home);
  await mkdir(join(home, 'cache'), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify({ formatVersion: 1, verdicts: Object.fromEntries(decided) }, null, 2)}\n`);
  await rename(draft, file);
}
