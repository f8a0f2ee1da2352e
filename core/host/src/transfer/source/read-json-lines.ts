import { TransferError } from '../transfer-error';
import { parseRecord } from './parse-record';
import { longestRecord, type SourceRecord } from './source-record';

/** Reads a JSON object from every line; blank lines are passed over. */
export async function* readJsonLines(
  text: AsyncIterable<string>,
): AsyncGenerator<readonly SourceRecord[], void, undefined> {
  let rest = '';
  let line = 0;
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestRecord) throw tooLong(line + lines.length + 1);
    yield lines.flatMap((content, index) => recordOf(content, line + index + 1));
    line += lines.length;
  }
  yield recordOf(rest, line + 1);
}

function recordOf(content: string, line: number): readonly SourceRecord[] {
  return content.trim() === '' ? [] : [parseRecord(content, line)];
}

function tooLong(line: number): TransferError {
  return new TransferError(
    `Line ${line} is longer than ${longestRecord} characters.`,
    'Check that the file has one JSON object on every line; for one array of objects add --format json.',
    {
      requestRemedy: 'Check that the file has one JSON object on every line; one array of objects is application/json.',
    },
  );
}
