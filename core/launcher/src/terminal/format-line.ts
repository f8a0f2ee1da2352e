import { z } from 'zod';

/** One structured log line, as pino writes it. */
const lineSchema = z.looseObject({
  level: z.number(),
  time: z.union([z.number(), z.string()]).optional(),
  msg: z.string().optional(),
});
export type LogLine = z.infer<typeof lineSchema>;

export const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;

/** @returns undefined for text that is no structured log line, such as the output of console.log in a plugin. */
export function parseLine(text: string): LogLine | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Lines about single requests are for the log file: on a terminal they would bury everything else. */
export function isAboutRequest(line: LogLine): boolean {
  return 'req' in line || 'request' in line || 'requestId' in line;
}

const hidden = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'v', 'err', 'stack']);
const names: readonly (readonly [from: number, name: string, colour: number])[] = [
  [levels.error, 'error', 31],
  [levels.warn, 'warn ', 33],
  [levels.info, 'info ', 32],
  [0, 'debug', 90],
];

/** A log line as a person reads it: time, level, message, then the fields. */
export function formatLine(line: LogLine, colour: boolean): string {
  const paint = (code: number, text: string): string => (colour ? `\u001B[${code}m${text}\u001B[0m` : text);
  const [, name, code] = names.find(([from]) => line.level >= from) ?? [0, 'debug', 90];
  const time = new Date(line.time ?? Date.now()).toTimeString().slice(0, 8);
  const fields = Object.entries(line).flatMap(([key, value]) =>
    hidden.has(key) ? [] : [`${key}=${formatValue(value)}`],
  );
  const cause = errorMessage(line['err']);
  const parts = [
    line.msg ?? '',
    ...(cause === undefined ? [] : [cause]),
    ...(fields.length === 0 ? [] : [paint(90, fields.join(' '))]),
  ];
  return `${paint(90, time)} ${paint(code, name)} ${parts.filter(Boolean).join('  ')}`;
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return /[\s"]/.test(value) ? JSON.stringify(value) : value;
  return JSON.stringify(value);
}

function errorMessage(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : undefined;
}
