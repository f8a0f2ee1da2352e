import type { TransferError } from '../transfer-error';
import { GrowingText } from './growing-text';
import type { RecordText } from './parse-record';
import { isLongerThan, tooLong } from './source-record';

/** Cuts a file into its lines, each the JSON text of an item; blank lines are passed over. */
export async function* readJsonLines(
  text: AsyncIterable<string>,
  maxLineLength: number,
): AsyncGenerator<readonly RecordText[], void, undefined> {
  const rest = new GrowingText();
  let line = 0;
  for await (const chunk of text) {
    const [first = '', ...others] = chunk.split('\n');
    rest.append(first);
    if (rest.isLongerThan(maxLineLength)) throw tooLongLine(line + 1, maxLineLength);
    const wrong = others.findIndex((content) => isLongerThan(content, maxLineLength));
    if (wrong >= 0) throw tooLongLine(line + wrong + 2, maxLineLength);
    const last = others.pop();
    if (last === undefined) continue;
    const lines = [rest.take(), ...others];
    rest.append(last);
    yield lines.flatMap((content, index) => recordOf(content, line + index + 1));
    line += lines.length;
  }
  yield recordOf(rest.take(), line + 1);
}

function recordOf(text: string, line: number): readonly RecordText[] {
  return /\S/.test(text) ? [{ line, text }] : [];
}

function tooLongLine(line: number, maxLength: number): TransferError {
  return tooLong(
    `Line ${line}`,
    maxLength,
    'Check that the file has one JSON object on every line; for one array of objects add --format json.',
    'Check that the file has one JSON object on every line; one array of objects is application/json.',
  );
}
