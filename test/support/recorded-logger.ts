import type { Logger } from '@gantry/plugin-api';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

/** A logger that keeps its lines. */
export function createRecordedLogger(): Logger & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const write =
    (level: LogLine['level']) =>
    (fields: object, message = '') =>
      void lines.push({ level, fields, message });
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
