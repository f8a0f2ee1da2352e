import type { DocumentRules } from '@gantry/contracts';
import { Extension, type Extensions, Mark } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import type { DocumentNode } from '../../api/platform/document';
import { itemLinkName, isItem } from './links/item-link-attributes';
import { safeAddress } from './links/safe-address';

/** Extensions of the editor of a field: for the nodes that its rules allow, and those that its document has already, so that none is lost. */
export function extensionsFor(rules: DocumentRules, document: DocumentNode | undefined): Extensions {
  const used = new Set<string>([...rules.nodes, ...rules.marks]);
  const levels = new Set(rules.headingLevels);
  if (document !== undefined) addUsed(document, used, levels);
  const only = <Options>(name: string, options: Options): Options | false => (used.has(name) ? options : false);
  const hasLists = used.has('bulletList') || used.has('orderedList');
  return [
    StarterKit.configure({
      heading: only('heading', { levels: [...levels] as HeadingLevel[] }),
      bulletList: only('bulletList', {}),
      orderedList: only('orderedList', {}),
      listItem: hasLists ? {} : false,
      listKeymap: hasLists ? {} : false,
      blockquote: only('blockquote', {}),
      codeBlock: only('codeBlock', {}),
      horizontalRule: only('horizontalRule', {}),
      bold: only('bold', {}),
      italic: only('italic', {}),
      underline: only('underline', {}),
      strike: only('strike', {}),
      code: only('code', {}),
      link: only('link', {
        autolink: false,
        openOnClick: false,
        isAllowedUri: (address: string | undefined) => safeAddress(address) !== undefined,
        HTMLAttributes: { target: null, rel: null },
      }),
      // A paragraph at the end that nobody wrote.
      trailingNode: false,
    }),
    ...(hasLists ? [indentation] : []),
    ...(used.has(itemLinkName) ? [itemLinkMark(used.has('link') ? ['link'] : [])] : []),
  ];
}

type HeadingLevel = 1 | 2 | 3 | 4;

/** Tab leads to the next control, as in the whole form. */
const indentation = Extension.create({
  name: 'indentation',
  addKeyboardShortcuts() {
    return {
      'Mod-]': () => this.editor.commands.sinkListItem('listItem'),
      'Mod-[': () => this.editor.commands.liftListItem('listItem'),
    };
  },
});

function addUsed({ type, attrs, content = [], marks = [] }: DocumentNode, used: Set<string>, levels: Set<number>) {
  used.add(type);
  for (const mark of marks) used.add(mark.type);
  if (type === 'heading') levels.add(Number(attrs?.['level']));
  for (const node of content) addUsed(node, used, levels);
}

/**
 * The JSON of what is in the editor, without what the editor has in addition. Members are in the order in which the platform gives them, so
 * that the same document is the same text.
 * @returns the empty text where there is nothing to see
 */
export function documentJson(document: DocumentNode): string {
  const written = writtenNode(document);
  return isBlank(written) ? '' : JSON.stringify(written);
}

function isBlank({ content = [] }: DocumentNode): boolean {
  const [first, ...others] = content;
  return others.length === 0 && (first === undefined || (first.type === 'paragraph' && first.content === undefined));
}

function writtenNode({ type, text, attrs, marks, content }: DocumentNode): DocumentNode {
  const kept = keptAttributes(type, attrs);
  return {
    ...(text === undefined ? {} : { text }),
    type,
    ...(kept === undefined ? {} : { attrs: kept }),
    ...(text === undefined || marks === undefined ? {} : { marks: marks.map(writtenMark) }),
    ...(content === undefined ? {} : { content: content.map(writtenNode) }),
  };
}

function keptAttributes(type: string, attrs: DocumentNode['attrs']): DocumentNode['attrs'] {
  if (type === 'heading') return { level: attrs?.['level'] };
  return type === 'orderedList' && attrs?.['start'] !== 1 ? { start: attrs?.['start'] } : undefined;
}

function writtenMark({ type, attrs }: { readonly type: string; readonly attrs?: DocumentNode['attrs'] }) {
  if (type === itemLinkName) return { type, attrs: { id: attrs?.['id'], type: attrs?.['type'] } };
  return type === 'link' ? { type, attrs: { href: attrs?.['href'] } } : { type };
}

/** A text that is a link to an item. @param others marks that it goes without */
function itemLinkMark(others: readonly string[]) {
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
