import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../../support/eventually';

export interface DocumentText {
  readonly type: 'text';
  readonly text: string;
  readonly marks?: readonly { readonly type: string }[];
}

export function text(value: string, ...marks: readonly string[]): DocumentText {
  return { type: 'text', text: value, ...(marks.length === 0 ? {} : { marks: marks.map((type) => ({ type })) }) };
}

export const paragraph = (...content: readonly object[]) => ({ type: 'paragraph', content });

export const doc = (...content: readonly object[]) => ({ type: 'doc', content });

/** The JSON of a document of so many blocks within each other. */
export function nestedBlocks(levels: number): string {
  const [begin, end] = ['{"type":"blockquote","content":['.repeat(levels), ']}'.repeat(levels)];
  return `{"type":"doc","content":[${begin}{"type":"paragraph"}${end}]}`;
}

/** The editor of a structured document, by the name of its field. */
export interface DocumentEditor {
  box(name?: string): Locator;
  toolbar(name?: string): Locator;
  /** Waits until the editor has the focus. */
  edit(name?: string): Promise<void>;
  /** Pastes HTML where the focus is. */
  paste(html: string): Promise<unknown>;
}

export function documentEditor(page: () => Page): DocumentEditor {
  const box = (name = 'Story'): Locator => page().getByRole('textbox', { name, exact: true });
  const toolbar = (name = 'Story'): Locator => page().getByRole('toolbar', { name: `Format ${name}` });
  return {
    box,
    toolbar,
    async edit(name) {
      await box(name).focus();
      await toolbar(name).waitFor();
      await eventually(() => page().evaluate('document.activeElement.isContentEditable'));
    },
    paste: (html) =>
      page().evaluate(`
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/html', ${JSON.stringify(html)});
        const init = { clipboardData, bubbles: true, cancelable: true };
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', init));
      `),
  };
}
