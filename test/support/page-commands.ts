import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A command block of a page of the documentation, and the block that shows what it prints. */
export interface PageStep {
  /** Title of the section that it stands in. */
  readonly section: string;
  readonly command: string;
  readonly answer: PageAnswer | undefined;
}

export interface PageAnswer {
  readonly language: 'json' | 'text';
  readonly content: string;
}

/** The `sh` blocks of a page, in order, each with a `json` or `text` block that follows it at once. */
export function stepsOfPage(file: string): readonly PageStep[] {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', file), 'utf8');
  return page.split(/^## /m).flatMap((section) =>
    [...section.matchAll(/^```sh\n(.*?)\n```(?:\n```(json|text)\n(.*?)\n```)?$/gms)].map(
      ([, command = '', language, content]) => ({
        section: section.split('\n', 1)[0] ?? '',
        command,
        answer: content === undefined ? undefined : { language: language as PageAnswer['language'], content },
      }),
    ),
  );
}

/** Checks what a command printed: `…` stands for any text, in a text also for any number of lines. */
export function expectAnswer(printed: string, { language, content }: PageAnswer): void {
  if (language === 'json') expect(JSON.parse(printed)).toMatchObject(wildcards(JSON.parse(content)) as object);
  else expect(printed.trimEnd()).toMatch(new RegExp(`^${content.split('…').map(escaped).join('[^]*')}$`));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function wildcards(value: unknown): unknown {
  if (value === '…') return expect.any(String);
  if (Array.isArray(value)) return value.map(wildcards);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wildcards(member)]));
}
