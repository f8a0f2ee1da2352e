import type { DocumentRules } from '@gantry/contracts';
import { RichTextEditor } from '@mantine/tiptap';
import { useEditorState, type Editor } from '@tiptap/react';
import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';
import { icon } from '../../ui/icons';
import { ItemLinkControl } from './item-link-control';
import { LinkControl } from './link-control';

interface DocumentToolbarProps {
  readonly editor: Editor;
  readonly rules: DocumentRules;
  readonly label: string;
}

/** One stop of the Tab key; the arrow keys lead from button to button. */
export function DocumentToolbar({ editor, rules, label }: DocumentToolbarProps) {
  const { toolbar, onKeyDown, onFocus } = useArrowKeys();
  const { nodes, marks, headingLevels, links = [] } = rules;
  const has = (name: string): boolean => nodes.includes(name) || marks.includes(name);
  const headings = has('heading') ? headingLevels : [];
  return (
    <RichTextEditor.Toolbar ref={toolbar} role="toolbar" aria-label={label} onKeyDown={onKeyDown} onFocus={onFocus}>
      <Group>
        {has('bold') && <RichTextEditor.Bold />}
        {has('italic') && <RichTextEditor.Italic />}
        {has('underline') && <RichTextEditor.Underline />}
        {has('strike') && <RichTextEditor.Strikethrough />}
        {has('code') && <RichTextEditor.Code />}
        {has('link') && <LinkControl editor={editor} />}
        {links.length > 0 && <ItemLinkControl editor={editor} targets={links} />}
      </Group>
      <Group>
        {headings.map((level) => {
          const Control = headingControls[level];
          return Control === undefined ? null : <Control key={level} />;
        })}
      </Group>
      <Group>
        {has('bulletList') && <RichTextEditor.BulletList />}
        {has('orderedList') && <RichTextEditor.OrderedList />}
        {(has('bulletList') || has('orderedList')) && <IndentControls editor={editor} />}
      </Group>
      <Group>
        {has('blockquote') && <RichTextEditor.Blockquote />}
        {has('codeBlock') && <RichTextEditor.CodeBlock />}
        {has('horizontalRule') && <RichTextEditor.Hr />}
      </Group>
      <Group>
        <RichTextEditor.Undo />
        <RichTextEditor.Redo />
      </Group>
    </RichTextEditor.Toolbar>
  );
}

const headingControls: Readonly<Record<number, typeof RichTextEditor.H1>> = {
  1: RichTextEditor.H1,
  2: RichTextEditor.H2,
  3: RichTextEditor.H3,
  4: RichTextEditor.H4,
};

const IndentIcon = icon(<path d="M4 6h16M11 12h9M4 18h16M4 10l3 2-3 2" />);
const OutdentIcon = icon(<path d="M4 6h16M11 12h9M4 18h16M7 10l-3 2 3 2" />);

function IndentControls({ editor }: Pick<DocumentToolbarProps, 'editor'>) {
  const { canIndent, canOutdent } = useEditorState({
    editor,
    selector: () => ({
      canIndent: editor.can().sinkListItem('listItem'),
      canOutdent: editor.can().liftListItem('listItem'),
    }),
  });
  return (
    <>
      <RichTextEditor.Control
        aria-label="Indent entry"
        title="Indent entry"
        disabled={!canIndent}
        onClick={() => editor.chain().focus().sinkListItem('listItem').run()}
      >
        <IndentIcon size={16} />
      </RichTextEditor.Control>
      <RichTextEditor.Control
        aria-label="Outdent entry"
        title="Outdent entry"
        disabled={!canOutdent}
        onClick={() => editor.chain().focus().liftListItem('listItem').run()}
      >
        <OutdentIcon size={16} />
      </RichTextEditor.Control>
    </>
  );
}

/** Buttons that belong together; none where the field allows none of them. */
function Group({ children }: { readonly children: ReactNode }) {
  const isEmpty = Array.isArray(children) && children.flat().every((child) => child === false || child === null);
  return isEmpty ? null : <RichTextEditor.ControlsGroup>{children}</RichTextEditor.ControlsGroup>;
}

/** The buttons of the library are stops of the Tab key, each. */
function useArrowKeys() {
  const toolbar = useRef<HTMLDivElement>(null);
  const current = useRef<EventTarget>(null);
  useEffect(() => {
    const update = (): void => makeStop(toolbar.current, current.current);
    update();
    // A button that cannot be pressed is no stop.
    const observer = new MutationObserver(update);
    const watched = { subtree: true, childList: true, attributeFilter: ['disabled'] };
    if (toolbar.current !== null) observer.observe(toolbar.current, watched);
    return () => observer.disconnect();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = buttonsIn(toolbar.current);
    const index = buttons.findIndex((button) => button === event.target);
    const next = nextIndex(event.key, index, buttons.length);
    if (index < 0 || next === undefined) return;
    event.preventDefault();
    buttons[next]?.focus();
  };
  const onFocus = (event: FocusEvent): void => {
    current.current = event.target;
    makeStop(toolbar.current, event.target);
  };
  return { toolbar, onKeyDown, onFocus };
}

/** Makes one button of a toolbar, the first unless it has the other, the stop of the Tab key. */
function makeStop(toolbar: HTMLElement | null, wanted: EventTarget | null): void {
  const buttons = buttonsIn(toolbar);
  const stop = buttons.find((button) => button === wanted) ?? buttons[0];
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
}

function buttonsIn(toolbar: HTMLElement | null): readonly HTMLButtonElement[] {
  return toolbar === null ? [] : [...toolbar.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
}

function nextIndex(key: string, index: number, count: number): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowRight') return (index + 1) % count;
  return key === 'ArrowLeft' ? (index - 1 + count) % count : undefined;
}
