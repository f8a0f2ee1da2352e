import type { ComponentType } from 'react';
import { icon } from '../../ui/icons';

export interface DocumentControlLook {
  readonly label: string;
  readonly Icon: ComponentType<{ readonly size?: number }>;
}

const letterH = 'M4 6v12M12 6v12M4 12h8M11 18h2M3 18h2M3 6h2M11 6h2';

/** How the controls of the toolbar look, by their names. */
export const controlLooks: Readonly<Record<string, DocumentControlLook>> = {
  bold: look('Bold', 'M7 5h6a3.5 3.5 0 0 1 0 7h-6zM13 12h1a3.5 3.5 0 0 1 0 7h-7v-7'),
  italic: look('Italic', 'M11 5h6M7 19h6M14 5l-4 14'),
  underline: look('Underline', 'M7 5v5a5 5 0 0 0 10 0v-5M5 19h14'),
  strike: look(
    'Strikethrough',
    'M5 12h14M16 6.5a4 2 0 0 0-4-1.5h-1a3.5 3.5 0 0 0 0 7h2a3.5 3.5 0 0 1 0 7h-1.5a4 2 0 0 1-4-1.5',
  ),
  code: look('Code', 'M7 8l-4 4 4 4M17 8l4 4-4 4M14 4l-4 16'),
  link: look('Link', 'M10 14a4 4 0 0 0 6 0l3-3a4.2 4.2 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4.2 4.2 0 0 0 6 6l1-1'),
  itemLink: look('Link to item', 'M5 4h9l5 5v11H5zM14 4v5h5M8 15h5m0 0-2-2m2 2-2 2'),
  h1: look('Heading 1', `${letterH}M19 18v-8l-2 2`),
  h2: look('Heading 2', `${letterH}M17 12a2 2 0 1 1 4 0c0 .591-.417 1.318-.816 1.858L17 18h4`),
  h3: look('Heading 3', `${letterH}M19 14a2 2 0 1 0-2-2M17 16a2 2 0 1 0 2-2`),
  h4: look('Heading 4', `${letterH}M20 18v-8l-4 6h5`),
  bulletList: look('Bullet list', 'M9 6h11M9 12h11M9 18h11M5 6v.01M5 12v.01M5 18v.01'),
  orderedList: look('Ordered list', 'M11 6h9M11 12h9M12 18h8M4 16a2 2 0 1 1 4 0c0 .591-.5 1-1 1.5L4 20h4M6 10V4L4 6'),
  indent: look('Indent entry', 'M4 6h16M11 12h9M4 18h16M4 10l3 2-3 2'),
  outdent: look('Outdent entry', 'M4 6h16M11 12h9M4 18h16M7 10l-3 2 3 2'),
  blockquote: look(
    'Blockquote',
    'M6 15h15M21 19H6M15 11h6M21 7h-6M9 9h1a1 1 0 1 1-1 1V7.5a2 2 0 0 1 2-2M3 9h1a1 1 0 1 1-1 1V7.5a2 2 0 0 1 2-2',
  ),
  codeBlock: look('Code block', 'M4 5h16v14H4zM10 9l-3 3 3 3M14 9l3 3-3 3'),
  horizontalRule: look('Horizontal line', 'M4 12h16M4 6h2M10 6h4M18 6h2M4 18h2M10 18h4M18 18h2'),
  source: look('Markdown', 'M3 5h18v14H3zM7 15V9l2 2 2-2v6M14 13l2 2 2-2M16 15V9'),
  undo: look('Undo', 'M9 14l-4-4 4-4M5 10h11a4 4 0 1 1 0 8h-1'),
  redo: look('Redo', 'M15 14l4-4-4-4M19 10H8a4 4 0 1 0 0 8h1'),
};

function look(label: string, path: string): DocumentControlLook {
  return { label, Icon: icon(<path d={path} />) };
}
