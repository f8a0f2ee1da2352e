import { Mark } from '@tiptap/react';

/** What a link to an item in a document has. */
export interface ItemLinkAttributes {
  readonly type: string;
  readonly id: string;
}

/** The name of the mark of texts that are links to items. */
export const itemLinkName = 'itemLink';

/** The attributes of a mark of a document; undefined for what no link to an item can have. */
export function itemLinkOf(attrs: Readonly<Record<string, unknown>> | undefined): ItemLinkAttributes | undefined {
  const { type, id } = attrs ?? {};
  if (typeof type !== 'string' || typeof id !== 'string' || !isItem(`${type}/${id}`)) return undefined;
  return { type, id };
}

function isItem(text: string): boolean {
  return /^[a-z][a-z0-9]*\/[1-9]\d{0,18}$/.test(text);
}

/** A text that is a link to an item. @param others marks that it goes without */
export function itemLinkMark(others: readonly string[]) {
  return Mark.create({
    name: itemLinkName,
    inclusive: false,
    excludes: [itemLinkName, ...others].join(' '),
    addAttributes: () => ({ type: { default: null, rendered: false }, id: { default: null, rendered: false } }),
    // What is copied in the editor and pasted there stays a link.
    parseHTML: () => [
      {
        tag: 'a[data-item]',
        getAttrs: (element) => {
          const item = element.getAttribute('data-item') ?? '';
          const [type, id] = item.split('/');
          return isItem(item) ? { type, id } : false;
        },
      },
    ],
    renderHTML: ({ mark: { attrs } }) => [
      'a',
      { 'data-item': `${attrs['type']}/${attrs['id']}`, class: 'document-link' },
      0,
    ],
  });
}
