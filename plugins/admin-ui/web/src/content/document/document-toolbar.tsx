import type { DocumentRules } from '@gantry/contracts';
import { useEditorState, type ChainedCommands, type Editor } from '@tiptap/react';
import { useEffect, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { toolbarGroups } from './document-frame';
import { ItemLinkControl } from './links/item-link-control';
import { LinkControl } from './links/link-control';
import { ToolbarButton } from './toolbar-button';

interface DocumentToolbarProps {
  readonly editor: Editor;
  readonly rules: DocumentRules;
  readonly label: string;
  /** Of a document that can be edited as text, too. */
  readonly source: SourceSwitch | undefined;
}

interface SourceSwitch {
  readonly isShown: boolean;
  onToggle(): void;
}

/** One stop of the Tab key; the arrow keys lead from button to button. */
export function DocumentToolbar({ editor, rules, label, source }: DocumentToolbarProps) {
  const { toolbar, onKeyDown, onFocus } = useArrowKeys();
  return (
    // Its buttons have the focus.
    // eslint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      ref={toolbar}
      className="document-toolbar"
      role="toolbar"
      aria-label={label}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      {/* While the text is shown, these have nothing to change. */}
      {toolbarGroups(rules).map((group) => (
        <div key={group[0]} className="document-controls" inert={source?.isShown === true}>
          {group.map((name) => (
            <ToolbarControl key={name} name={name} editor={editor} rules={rules} />
          ))}
        </div>
      ))}
      {source === undefined ? null : <SourceControl {...source} />}
    </div>
  );
}

function ToolbarControl({
  name,
  editor,
  rules,
}: Pick<DocumentToolbarProps, 'editor' | 'rules'> & { readonly name: string }) {
  if (name === 'link') return <LinkControl editor={editor} />;
  if (name === 'itemLink') return <ItemLinkControl editor={editor} targets={rules.links ?? []} />;
  const command = commands[name];
  return command === undefined ? null : <CommandControl name={name} editor={editor} {...command} />;
}

interface Command {
  run(chain: ChainedCommands): ChainedCommands;
  /** Of what is switched on and off. */
  isActive?(editor: Editor): boolean;
}

const commands: Readonly<Record<string, Command>> = {
  bold: { run: (chain) => chain.toggleBold(), isActive: (editor) => editor.isActive('bold') },
  italic: { run: (chain) => chain.toggleItalic(), isActive: (editor) => editor.isActive('italic') },
  underline: { run: (chain) => chain.toggleUnderline(), isActive: (editor) => editor.isActive('underline') },
  strike: { run: (chain) => chain.toggleStrike(), isActive: (editor) => editor.isActive('strike') },
  code: { run: (chain) => chain.toggleCode(), isActive: (editor) => editor.isActive('code') },
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  bulletList: { run: (chain) => chain.toggleBulletList(), isActive: (editor) => editor.isActive('bulletList') },
  orderedList: { run: (chain) => chain.toggleOrderedList(), isActive: (editor) => editor.isActive('orderedList') },
  indent: { run: (chain) => chain.sinkListItem('listItem') },
  outdent: { run: (chain) => chain.liftListItem('listItem') },
  blockquote: { run: (chain) => chain.toggleBlockquote(), isActive: (editor) => editor.isActive('blockquote') },
  codeBlock: { run: (chain) => chain.toggleCodeBlock(), isActive: (editor) => editor.isActive('codeBlock') },
  horizontalRule: { run: (chain) => chain.setHorizontalRule() },
  undo: { run: (chain) => chain.undo() },
  redo: { run: (chain) => chain.redo() },
};

function heading(level: 1 | 2 | 3 | 4): Command {
  return {
    run: (chain) => chain.toggleHeading({ level }),
    isActive: (editor) => editor.isActive('heading', { level }),
  };
}

function CommandControl({
  name,
  editor,
  run,
  isActive,
}: Command & Pick<DocumentToolbarProps, 'editor'> & { readonly name: string }) {
  const { active, can } = useEditorState({
    editor,
    selector: () => ({ active: isActive?.(editor), can: isActive !== undefined || run(editor.can().chain()).run() }),
  });
  return (
    <ToolbarButton name={name} isActive={active} disabled={!can} onClick={() => run(editor.chain().focus()).run()} />
  );
}

function SourceControl({ isShown, onToggle }: SourceSwitch) {
  return (
    <div className="document-controls">
      <ToolbarButton name="source" title="Edit as Markdown" isActive={isShown} onClick={onToggle} />
    </div>
  );
}

/** The buttons are one stop of the Tab key. */
function useArrowKeys() {
  const toolbar = useRef<HTMLDivElement>(null);
  const current = useRef<EventTarget>(null);
  useEffect(() => {
    const update = (): void => makeStop(toolbar.current, current.current);
    update();
    // A button that cannot be pressed is no stop.
    const observer = new MutationObserver(update);
    const watched = { subtree: true, childList: true, attributeFilter: ['disabled', 'inert'] };
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
  if (toolbar === null) return [];
  return [...toolbar.querySelectorAll<HTMLButtonElement>('button:not(:disabled, [inert] *)')];
}

function nextIndex(key: string, index: number, count: number): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowRight') return (index + 1) % count;
  return key === 'ArrowLeft' ? (index - 1 + count) % count : undefined;
}
