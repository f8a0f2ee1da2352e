import type { DocumentRules } from '@gantry/contracts';
import { RichTextEditor } from '@mantine/tiptap';
import { useEditorState, type Editor } from '@tiptap/react';
import { useEffect, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { icon } from '../../ui/icons';
import { toolbarGroups } from './document-frame';
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
  return (
    <RichTextEditor.Toolbar
      ref={toolbar}
      sticky
      stickyOffset="var(--shell-header-height)"
      role="toolbar"
      aria-label={label}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      {toolbarGroups(rules).map((group) => (
        <RichTextEditor.ControlsGroup key={group[0]}>
          {group.map((name) => (
            <ToolbarControl key={name} name={name} editor={editor} rules={rules} />
          ))}
        </RichTextEditor.ControlsGroup>
      ))}
    </RichTextEditor.Toolbar>
  );
}

function ToolbarControl({ name, editor, rules }: Omit<DocumentToolbarProps, 'label'> & { readonly name: string }) {
  if (name === 'link') return <LinkControl editor={editor} />;
  if (name === 'itemLink') return <ItemLinkControl editor={editor} targets={rules.links ?? []} />;
  if (name === 'indent') return <IndentControl editor={editor} />;
  if (name === 'outdent') return <OutdentControl editor={editor} />;
  const Control = libraryControls[name];
  return Control === undefined ? null : <Control />;
}

const libraryControls: Readonly<Record<string, typeof RichTextEditor.Bold>> = {
  bold: RichTextEditor.Bold,
  italic: RichTextEditor.Italic,
  underline: RichTextEditor.Underline,
  strike: RichTextEditor.Strikethrough,
  code: RichTextEditor.Code,
  h1: RichTextEditor.H1,
  h2: RichTextEditor.H2,
  h3: RichTextEditor.H3,
  h4: RichTextEditor.H4,
  bulletList: RichTextEditor.BulletList,
  orderedList: RichTextEditor.OrderedList,
  blockquote: RichTextEditor.Blockquote,
  codeBlock: RichTextEditor.CodeBlock,
  horizontalRule: RichTextEditor.Hr,
  undo: RichTextEditor.Undo,
  redo: RichTextEditor.Redo,
};

const IndentIcon = icon(<path d="M4 6h16M11 12h9M4 18h16M4 10l3 2-3 2" />);
const OutdentIcon = icon(<path d="M4 6h16M11 12h9M4 18h16M7 10l-3 2 3 2" />);

function IndentControl({ editor }: Pick<DocumentToolbarProps, 'editor'>) {
  const canIndent = useEditorState({ editor, selector: () => editor.can().sinkListItem('listItem') });
  return (
    <RichTextEditor.Control
      aria-label="Indent entry"
      title="Indent entry"
      disabled={!canIndent}
      onClick={() => editor.chain().focus().sinkListItem('listItem').run()}
    >
      <IndentIcon size={16} />
    </RichTextEditor.Control>
  );
}

function OutdentControl({ editor }: Pick<DocumentToolbarProps, 'editor'>) {
  const canOutdent = useEditorState({ editor, selector: () => editor.can().liftListItem('listItem') });
  return (
    <RichTextEditor.Control
      aria-label="Outdent entry"
      title="Outdent entry"
      disabled={!canOutdent}
      onClick={() => editor.chain().focus().liftListItem('listItem').run()}
    >
      <OutdentIcon size={16} />
    </RichTextEditor.Control>
  );
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
