import type { DocumentNode } from './document-node';

/** The text of a document that searches compare: a line for each block and line break. */
export function plainText(document: DocumentNode): string {
  const lines: string[] = [];
  addLines(document, lines);
  return lines.join('\n').normalize('NFC');
}

function addLines({ content = [] }: DocumentNode, lines: string[]): void {
  if (content.some(isInline)) {
    lines.push(content.map(({ text = '\n' }) => text).join(''));
    return;
  }
  for (const block of content) addLines(block, lines);
}

function isInline({ type }: DocumentNode): boolean {
  return type === 'text' || type === 'hardBreak';
}

/** Whether there is nothing to see in a document: no text, and no line across it. */
export function isBlankDocument(document: DocumentNode): boolean {
  return plainText(document).trim() === '' && !hasRule(document);
}

function hasRule({ type, content = [] }: DocumentNode): boolean {
  return type === 'horizontalRule' || content.some(hasRule);
}
