import { TransferError } from '../transfer-error';
import { countLines } from './decode-text';
import { GrowingText } from './growing-text';
import type { RecordText } from './parse-record';
import { isLongerThan, tooLong, unreadable, type SourceRecord } from './source-record';

/** Cuts one JSON array of objects into its elements. */
export async function* readJsonArray(
  text: AsyncIterable<string>,
  maxLength: number,
): AsyncGenerator<readonly (RecordText | SourceRecord)[], void, undefined> {
  const splitter = new ArraySplitter(maxLength);
  for await (const chunk of text) yield splitter.push(chunk);
  splitter.end();
}

/** Cuts the text of an array at the commas between its elements; what an element holds is not its concern. */
class ArraySplitter {
  private position: 'before' | 'inside' | 'behind' = 'before';
  private depth = 0;
  private inText = false;
  private escaped = false;
  private readonly element = new GrowingText();
  /** Line on which `element` begins. */
  private line = 1;
  private hasElements = false;

  constructor(private readonly maxLength: number) {}

  push(chunk: string): readonly (RecordText | SourceRecord)[] {
    const records: (RecordText | SourceRecord)[] = [];
    let from = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const cut = this.inText ? this.passText(chunk.charCodeAt(index)) : this.pass(chunk.charCodeAt(index));
      if (cut === undefined) continue;
      this.element.append(chunk.slice(from, index));
      if (cut !== 'open') records.push(...this.take(cut === 'close'));
      else this.skip();
      from = index + 1;
    }
    this.element.append(chunk.slice(from));
    if (this.element.isLongerThan(this.maxLength)) throw tooLongElement(this.line, this.maxLength);
    if (this.position === 'before' && this.element.text.trim() !== '') throw noArray();
    return records;
  }

  end(): void {
    if (this.position === 'before') throw noArray();
    if (this.position === 'inside') {
      const line = this.line + countLines(this.element.text);
      throw new TransferError(
        `The file ends on line ${line} within the array.`,
        'Use the complete file; it must end with ].',
      );
    }
    if (this.element.text.trim() !== '') {
      throw new TransferError(
        'Something follows the end of the array.',
        'Remove it; for several objects without an array add --format jsonl.',
        { requestRemedy: 'Remove it; one object on every line, without an array, is application/x-ndjson.' },
      );
    }
  }

  private passText(code: number): undefined {
    if (this.escaped) this.escaped = false;
    else if (code === backslash) this.escaped = true;
    else if (code === quote) this.inText = false;
    return undefined;
  }

  /** Says whether the character opens the array, ends an element, or closes the array. */
  private pass(code: number): 'open' | 'element' | 'close' | undefined {
    if (this.position === 'inside' && code === quote) this.inText = true;
    else if (code === openBracket && this.position === 'before') return this.open();
    else if (this.position !== 'inside') return undefined;
    else if (code === openBrace || code === openBracket) this.depth += 1;
    else if (code === closeBracket && this.depth === 0) return 'close';
    else if (code === closeBrace || code === closeBracket) this.depth = Math.max(0, this.depth - 1);
    else if (code === comma && this.depth === 0) return 'element';
    return undefined;
  }

  private open(): 'open' {
    if (this.element.text.trim() !== '') throw noArray();
    this.position = 'inside';
    return 'open';
  }

  private take(isLast: boolean): readonly (RecordText | SourceRecord)[] {
    const { text: element } = this.element;
    const text = element.trim();
    const line = this.line + countLines(element.slice(0, element.length - element.trimStart().length));
    if (isLongerThan(text, this.maxLength)) throw tooLongElement(line, this.maxLength);
    this.skip();
    if (isLast) this.position = 'behind';
    if (isLast && text === '' && !this.hasElements) return [];
    this.hasElements = true;
    return [text === '' ? unreadable(line, 'is not valid JSON: there is an extra comma') : { line, text }];
  }

  private skip(): void {
    this.line += countLines(this.element.take());
  }
}

const [quote, comma, openBracket, backslash, closeBracket, openBrace, closeBrace] = [34, 44, 91, 92, 93, 123, 125];

function noArray(): TransferError {
  return new TransferError('The file is not a JSON array.', 'For one JSON object on every line, add --format jsonl.', {
    requestRemedy: 'One JSON object on every line is application/x-ndjson.',
  });
}

function tooLongElement(line: number, maxLength: number): TransferError {
  return tooLong(
    `The element that begins on line ${line}`,
    maxLength,
    'Check that the brackets and quotes before it match.',
  );
}
