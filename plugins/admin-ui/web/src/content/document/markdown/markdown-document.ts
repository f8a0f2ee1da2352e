import { Lexer, type Token, type Tokens } from 'marked';
import type { DocumentMark, DocumentNode } from '../../../api/platform/document';

/** A text in Markdown as a document to read. What a document has no part for is the text that it is. */
export function markdownDocument(text: string): DocumentNode {
  return { type: 'doc', content: blocksOf(new Lexer().lex(text)) };
}

function blocksOf(tokens: readonly Token[]): readonly DocumentNode[] {
  return tokens.filter(({ type }) => type !== 'space' && type !== 'def').map(block);
}

function block(token: Token): DocumentNode {
  switch (token.type) {
    case 'heading':
      return { type: 'heading', attrs: { level: token.depth as unknown }, content: inline(token.tokens) };
    case 'list':
      return list(token as Tokens.List);
    case 'blockquote':
      return { type: 'blockquote', content: blocksOf(token.tokens ?? []) };
    case 'code':
      return { type: 'codeBlock', content: [{ type: 'text', text: String(token.text) }] };
    case 'hr':
      return { type: 'horizontalRule' };
    default:
      return {
        type: 'paragraph',
        content: 'tokens' in token ? inline(token.tokens) : [words(token.raw.trimEnd(), [])],
      };
  }
}

function list({ ordered, start, items }: Tokens.List): DocumentNode {
  const content = items.map((item) => ({ type: 'listItem', content: blocksOf(item.tokens) }));
  if (!ordered) return { type: 'bulletList', content };
  return { type: 'orderedList', attrs: { start: start === '' ? 1 : start }, content };
}

function inline(tokens: readonly Token[] | undefined, marks: readonly DocumentMark[] = []): readonly DocumentNode[] {
  return (tokens ?? []).flatMap((token): readonly DocumentNode[] => {
    const mark = markOf(token);
    if (mark?.type === 'code') return [words(String((token as Tokens.Codespan).text), [mark, ...marks])];
    if (mark !== undefined) return inline((token as Tokens.Strong).tokens, [mark, ...marks]);
    if (token.type === 'br') return [{ type: 'hardBreak' }];
    if (token.type === 'escape') return [words(String((token as Tokens.Escape).text), marks)];
    const { tokens: parts } = token as Tokens.Text;
    if (parts !== undefined && !token.raw.startsWith('!')) return inline(parts, marks);
    return [words(token.raw, marks)];
  });
}

function markOf(token: Token): DocumentMark | undefined {
  const type = markTypes[token.type];
  if (type === undefined) return undefined;
  return type === 'link' ? { type, attrs: { href: (token as Tokens.Link).href } } : { type };
}

const markTypes: Readonly<Record<string, string>> = {
  strong: 'bold',
  em: 'italic',
  del: 'strike',
  codespan: 'code',
  link: 'link',
};

function words(text: string, marks: readonly DocumentMark[]): DocumentNode {
  return { type: 'text', text: marks.some(({ type }) => type === 'code') ? text : withCharacters(text), marks };
}

/** Characters that Markdown writes as entities. */
function withCharacters(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_all, name: string) => characters[name] ?? '');
}

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
};
