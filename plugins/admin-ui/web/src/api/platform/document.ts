/** A part of a structured document: a block, a text, or the document itself. */
export interface DocumentNode {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly content?: readonly DocumentNode[];
  readonly text?: string;
  readonly marks?: readonly DocumentMark[];
}

export interface DocumentMark {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
}

/** The document in a value of a row, or in its JSON text, as forms hold it; undefined for what is none. */
export function parseDocument(value: unknown): DocumentNode | undefined {
  if (typeof value !== 'string') return isNode(value) && value.type === 'doc' ? value : undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'string' ? undefined : parseDocument(parsed);
  } catch {
    return undefined;
  }
}

/** The text of a document, a line for each block and line break, as searches compare it. What is no document is shown as it is. */
export function documentText(value: unknown, maxLength = Infinity): string {
  const document = parseDocument(value);
  if (document === undefined) return typeof value === 'string' ? value : '';
  const lines: string[] = [];
  addLines(document, lines, maxLength);
  return lines.join('\n');
}

/** @returns how many characters are left */
function addLines({ content = [] }: DocumentNode, lines: string[], left: number): number {
  if (left <= 0) return 0;
  if (content.some(isInline)) {
    const line = content.map(({ text = '\n' }) => text).join('');
    lines.push(line);
    return left - line.length - 1;
  }
  return content.reduce((rest, block) => addLines(block, lines, rest), left);
}

function isInline({ type, text }: DocumentNode): boolean {
  return text !== undefined || type === 'hardBreak';
}

function isNode(value: unknown): value is DocumentNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
