import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapePattern } from './escape-pattern';

/** A part of a page that a test carries out. */
export type PagePart = PageFile | PageStep;

/** A block with the content of a file: its language is followed by its path. */
export interface PageFile {
  readonly kind: 'file';
  readonly section: string;
  readonly path: string;
  readonly content: string;
}

/** A block with commands, and the block that shows what they print. */
export interface PageStep {
  readonly kind: 'commands';
  /** Title of the section that it is in. */
  readonly section: string;
  readonly commands: string;
  readonly answer: PageAnswer | undefined;
}

export interface PageAnswer {
  readonly language: 'json' | 'text';
  readonly content: string;
}

const block = /^```(?:sh\n(.*?)\n```(?:\n```(json|text)\n(.*?)\n```)?|\w+ (\S+)\n(.*?)```)$/gms;

/** The files and commands of a page of the documentation, in order. */
export function partsOfPage(file: string): readonly PagePart[] {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', file), 'utf8');
  return page.split(/^## /m).flatMap((text) => {
    const section = text.split('\n', 1)[0] ?? '';
    return [...text.matchAll(block)].map(([, commands, language, answer, path = '', content = '']): PagePart => {
      if (commands === undefined) return { kind: 'file', section, path, content };
      const shown =
        answer === undefined ? undefined : { language: language as PageAnswer['language'], content: answer };
      return { kind: 'commands', section, commands, answer: shown };
    });
  });
}

/** A name for the test of a part. */
export function titleOf(part: PagePart): string {
  const first = part.kind === 'file' ? part.path : (part.commands.split('\n', 1)[0] ?? '');
  return `${part.section}: ${first}`;
}

/** Checks what a command printed: `…` matches any text, in a text also for any number of lines. */
export function expectAnswer(printed: string, { language, content }: PageAnswer): void {
  if (language === 'json') expect(JSON.parse(printed)).toMatchObject(wildcards(JSON.parse(content)) as object);
  else expect(printed.trimEnd()).toMatch(new RegExp(`^${content.split('…').map(escapePattern).join('[^]*')}$`));
}

function wildcards(value: unknown): unknown {
  if (value === '…') return expect.any(String);
  if (Array.isArray(value)) return value.map(wildcards);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wildcards(member)]));
}
