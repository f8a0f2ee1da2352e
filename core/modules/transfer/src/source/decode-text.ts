import { isUtf8 } from 'node:buffer';
import { TransferError } from '../transfer-error';

/**
 * The text of a file in UTF-8, without its byte order mark. Bytes that are none are an error: replaced silently, they would
 * be lost.
 * @throws TransferError that names the line
 */
export async function* decodeText(source: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines = 1;
  let isFirst = true;
  for await (const chunk of source) {
    if (isFirst && isUtf16(chunk)) throw utf16();
    isFirst = false;
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw notUtf8(lines + linesBefore(chunk), cause);
    }
    lines += countLines(text);
    if (text !== '') yield text;
  }
  try {
    const rest = decoder.decode();
    if (rest !== '') yield rest;
  } catch (cause) {
    throw notUtf8(lines, cause);
  }
}

export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Lines of the chunk that are sound. */
function linesBefore(chunk: Uint8Array): number {
  const lines = Buffer.from(chunk).toString('latin1').split('\n');
  const wrong = lines.findIndex((line, index) => index > 0 && !isUtf8(Buffer.from(line, 'latin1')));
  const first = lines[0] ?? '';
  // The first line may begin in the middle of a character of the chunk before.
  const isFirst = !isUtf8(Buffer.from(first.replace(/^[\u0080-\u00bf]{1,3}/, ''), 'latin1'));
  return isFirst || wrong < 0 ? 0 : wrong;
}

/** As spreadsheets write it under the name of Unicode text, with its byte order mark. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function utf16(): TransferError {
  return new TransferError(
    'The file is in UTF-16, not in UTF-8.',
    'Save the file as UTF-8, for example with: iconv -f UTF-16 -t UTF-8 <file>',
  );
}

function notUtf8(line: number, cause: unknown): TransferError {
  return new TransferError(
    `Line ${line} has bytes that are not UTF-8.`,
    'Save the file as UTF-8, for example with: iconv -f WINDOWS-1252 -t UTF-8 <file>',
    { cause },
  );
}
