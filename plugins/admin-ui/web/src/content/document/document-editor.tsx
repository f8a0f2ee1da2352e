import './document-editor.css';
import { EditorContent, useEditor, type Editor } from '@tiptap/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { textOf } from '../kinds/control-attributes';
import { parseDocument, type DocumentNode } from '../../api/platform/document';
import { extensionsFor } from './document-extensions';
import { formatOf, type DocumentFormat } from './markdown/document-format';
import { DocumentToolbar } from './document-toolbar';
import { withoutAttributes } from './markdown/pasted-html';
import { hasNoFocus, hasSource, rulesOf, type CaretPlace, type DocumentFrameProps } from './document-frame';

/** The editor of a structured document. It makes, and takes from the clipboard, only what the rules of the field allow. */
export function DocumentEditor({ control, attributes, caretRef }: DocumentFrameProps) {
  const { field } = control;
  const value = textOf(control);
  const rules = rulesOf(field);
  // The same objects with every drawing: the editor takes others for a change.
  const [{ format, ...first }] = useState(() => {
    const extensions = extensionsFor(rules, field.format === undefined ? parseDocument(value) : undefined);
    const ownFormat = formatOf(field, extensions);
    return {
      extensions,
      format: ownFormat,
      content: contentOf(ownFormat.read(value)),
      // The content security policy refuses a style element without a nonce.
      injectCSS: false,
    };
  });
  const { isSource, isRefused, note, toggle } = useSource(format, value);
  const editorProps = useEditorProps(attributes);
  const shown = useRef(value);
  const editor = useEditor({
    ...first,
    editorProps,
    onUpdate: ({ editor: changed }) => {
      shown.current = format.write(changed.getJSON() as DocumentNode);
      note(shown.current);
      control.onChange(shown.current);
    },
  });
  useFirstFocus(editor, caretRef);
  useEffect(() => {
    if (isSource || shown.current === value) return;
    shown.current = value;
    editor.commands.setContent(contentOf(format.read(value)), { emitUpdate: false });
  }, [editor, format, value, isSource]);
  return (
    <div className="document-frame">
      <DocumentToolbar
        editor={editor}
        rules={rules}
        label={`Format ${field.displayName}`}
        source={hasSource(field) ? { isShown: isSource, onToggle: toggle } : undefined}
      />
      {isRefused ? (
        <p className="document-note" role="status">
          This text has parts, such as HTML or a table, that are edited as Markdown only.
        </p>
      ) : null}
      {isSource ? (
        <textarea
          {...attributes}
          className="document document-source"
          dir="auto"
          value={value}
          onChange={(event) => {
            note(event.currentTarget.value);
            control.onChange(event.currentTarget.value);
          }}
        />
      ) : (
        <EditorContent editor={editor} />
      )}
    </div>
  );
}

/** Whether the text of a document is edited instead: because the reader wants to, or because the editor cannot show all of it. */
function useSource(format: DocumentFormat, value: string) {
  const [known, setKnown] = useState(() => sourceOf(format, value));
  // A text from elsewhere, such as that of a newer version.
  if (known.value !== value) setKnown(sourceOf(format, value, known.isSource));
  return {
    ...known,
    /** To be called with what is written here, which needs no look. */
    note: (text: string) => setKnown((last) => ({ ...last, value: text })),
    toggle: () => setKnown(known.isSource ? sourceOf(format, value) : { ...known, isSource: true }),
  };
}

function sourceOf(format: DocumentFormat, value: string, isWanted = false) {
  const isRefused = !format.keeps(value);
  return { value, isSource: isWanted || isRefused, isRefused };
}

function contentOf(document: DocumentNode | undefined) {
  return document === undefined ? null : structuredClone(document as object);
}

function useEditorProps(attributes: DocumentFrameProps['attributes']) {
  const key = JSON.stringify(attributes);
  return useMemo(
    () => ({
      attributes: { ...(JSON.parse(key) as typeof attributes), class: 'document' },
      handleDOMEvents: { keydown: isTab },
      transformPastedHTML: withoutAttributes,
    }),
    [key],
  );
}

/** The browser moves the focus; the editor would move entries of lists. */
function isTab(_view: unknown, event: KeyboardEvent): boolean {
  return event.key === 'Tab';
}

/** The focus was in what the editor takes the place of, unless it is somewhere else by now. */
function useFirstFocus(editor: Editor, caretRef: DocumentFrameProps['caretRef']): void {
  useEffect(() => {
    const place = caretRef.current;
    if (place === undefined) return;
    const focus = (): void => {
      if (hasNoFocus(editor.view.dom)) focusAt(editor, place);
    };
    focus();
    // The press that has opened the editor goes on, and takes the focus away where it is on neither of the two.
    const timer = setTimeout(focus, 50);
    return () => clearTimeout(timer);
  }, [editor, caretRef]);
}

function focusAt(editor: Editor, place: CaretPlace): void {
  if (place === 'start') return void editor.commands.focus('start');
  const { left, top } = editor.view.dom.getBoundingClientRect();
  const at = editor.view.posAtCoords({ left: left + place.x, top: top + place.y - editor.view.dom.scrollTop });
  // It was clicked where it can be seen.
  editor.commands.focus(at?.pos ?? 'end', { scrollIntoView: false });
}
