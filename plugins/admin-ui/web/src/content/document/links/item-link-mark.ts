import { Mark } from '@tiptap/react';
import { isItem, itemLinkName } from './item-link-attributes';

/** A text that is a link to an item. @param others marks that it goes without */
export function itemLinkMark(others: readonly string[]) {
  return Mark.create({
    name: itemLinkName,
    inclusive: false,
    excludes: [itemLinkName, ...others].join(' '),
    addAttributes: () => ({ type: { default: null, rendered: false }, id: { default: null, rendered: false } }),
    // A link that is copied in the editor and pasted there stays a link.
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
