import type { DetailCode } from '@gantry/contracts';
import { invalidParameter } from '@gantry/plugin-api';

/** The parameter `delimiter` of a CSV file. @throws GantryError BAD_REQUEST */
export function parseDelimiter(text: string | undefined): string {
  if (text === undefined) return ',';
  if (text.length === 1 && !/["\r\n]/.test(text)) return text;
  throw invalidParameter(
    'delimiter',
    'The parameter delimiter must be one character, and neither a quote nor a line break',
    'PATTERN' satisfies DetailCode,
  );
}
