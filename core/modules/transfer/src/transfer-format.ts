import { extname } from 'node:path';
import { TransferError } from './transfer-error';

/** `jsonl`: a JSON object on every line; `json`: one array of objects; `csv`: a header line and rows. */
export const transferFormats = ['jsonl', 'json', 'csv'] as const;

export type TransferFormat = (typeof transferFormats)[number];

const byExtension: Readonly<Record<string, TransferFormat>> = {
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'json',
  '.csv': 'csv',
};

/** The format of a file by its name. @throws TransferError when the name has another ending */
export function formatOfFile(file: string): TransferFormat {
  const format = byExtension[extname(file).toLowerCase()];
  if (format !== undefined) return format;
  throw new TransferError(
    `The format of the file cannot be determined from its name, ${file}.`,
    `Add --format ${transferFormats.join(', --format ').replace(/, (?!.*, )/, ' or ')}.`,
  );
}
