import { MarkdownManager } from '@tiptap/markdown';
import type { Extensions, JSONContent } from '@tiptap/react';
import type { FormField } from '@gantry/contracts';
import { parseDocument, type DocumentNode } from '../../../api/platform/document';
import { documentJson } from '../document-extensions';

/** How the document in the editor is written in the value of a field. */
export interface DocumentFormat {
  /** Undefined for none. */
  read(value: string): DocumentNode | undefined;
  write(document: DocumentNode): string;
  /** Whether the editor shows all of a value, so that an edit changes nothing but what was edited. */
  keeps(value: string): boolean;
}

export function formatOf({ format }: FormField, extensions: Extensions): DocumentFormat {
  return format === 'markdown' ? markdownFormat(extensions) : jsonFormat;
}

const jsonFormat: DocumentFormat = { read: parseDocument, write: documentJson, keeps: () => true };

/** Markdown. What is written has no more escapes than it needs: many read such a text as it is. */
function markdownFormat(extensions: Extensions): DocumentFormat {
  const manager = new MarkdownManager({ extensions });
  const read = (text: string): DocumentNode | undefined =>
    text.trim() === '' ? undefined : (manager.parse(text) as DocumentNode);
  const write = (document: DocumentNode): string => {
    const written = withoutBlank(document);
    if (written.content?.length === 0) return '';
    const text = manager.serialize(written as JSONContent);
    const plain = withoutNeedlessEscapes(text);
    return plain === text || isSame(read(plain), read(text)) ? plain : text;
  };
  return {
    read,
    write,
    keeps(text) {
      const document = hasHtml(text) ? undefined : read(text);
      return text.trim() === '' || (document !== undefined && write(document) === usual(text));
    },
  };
}

/** Whether a text has elements, comments or declarations outside of code: the editor would take them for words. */
function hasHtml(text: string): boolean {
  return text.includes('<') && /<[a-z!/?]/i.test(text.replaceAll(/```[^]*?```|`[^`\n]*`/g, ''));
}

/** A text as the editor writes it, where there are several ways to write the same. */
function usual(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/^( *)[*+] /gm, '$1- ')
    .trim();
}

/** Empty paragraphs are room for what is written next, and no part of a text. */
function withoutBlank(document: DocumentNode): DocumentNode {
  const isBlank = ({ type, content = [] }: DocumentNode): boolean => type === 'paragraph' && content.length === 0;
  return { ...document, content: (document.content ?? []).filter((node) => !isBlank(node)) };
}

function withoutNeedlessEscapes(text: string): string {
  return text
    .replaceAll(/&lt;(?![a-z!/?])/gi, '<')
    .replaceAll(/(?<!^[ >]*)&gt;/gm, '>')
    .replaceAll(/&amp;(?![a-z0-9#]+;)/gi, '&')
    .replaceAll(/(?<=\w)\\_(?=\w)/g, '_')
    .replaceAll(/(?<= )\\\*(?= )/g, '*')
    .replaceAll(/\\([[\]~`])/g, '$1')
    .replaceAll(/\[(https?:\/\/[^\s\]]+)\]\(\1\)/g, '$1');
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
