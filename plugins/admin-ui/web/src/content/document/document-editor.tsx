import './document-editor.css';
import { RichTextEditor } from '@mantine/tiptap';
import { useEditor, type Editor } from '@tiptap/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { textOf } from '../kinds/control-attributes';
import { parseDocument, type DocumentNode } from '../../api/document';
import { documentJson, extensionsFor } from './document-extensions';
import { DocumentToolbar } from './document-toolbar';
import { withoutAttributes } from './pasted-html';
import { hasNoFocus, noRules, type DocumentFrameProps } from './document-frame';

/** The editor of a structured document. It makes, and takes from the clipboard, only what the rules of the field allow. */
export function DocumentEditor({ control, attributes, caretRef }: DocumentFrameProps) {
  const { field } = control;
  const value = textOf(control);
  const rules = field.document ?? noRules;
  // The same objects with every drawing: the editor takes others for a change.
  const [first] = useState(() => ({
    extensions: extensionsFor(rules, parseDocument(value)),
    content: contentOf(value),
    // The content security policy refuses a style element without a nonce.
    injectCSS: false,
  }));
  const editorProps = useEditorProps(attributes);
  const shown = useRef(value);
  const editor = useEditor({
    ...first,
    editorProps,
    onUpdate: ({ editor: changed }) => {
      shown.current = documentJson(changed.getJSON() as DocumentNode);
      control.onChange(shown.current);
    },
  });
  useFirstFocus(editor, caretRef);
  useEffect(() => {
    if (shown.current === value) return;
    shown.current = value;
    editor.commands.setContent(contentOf(value), { emitUpdate: false });
  }, [editor, value]);
  return (
    <RichTextEditor editor={editor} withTypographyStyles={false} withCodeHighlightStyles={false}>
      <DocumentToolbar editor={editor} rules={rules} label={`Format ${field.displayName}`} />
      <RichTextEditor.Content />
    </RichTextEditor>
  );
}

function contentOf(value: string) {
  const document = parseDocument(value);
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
    if (place === undefined || !hasNoFocus()) return;
    if (place === 'start') return void editor.commands.focus('start');
    const { left, top } = editor.view.dom.getBoundingClientRect();
    const at = editor.view.posAtCoords({ left: left + place.x, top: top + place.y - editor.view.dom.scrollTop });
    // It was clicked where it can be seen.
    editor.commands.focus(at?.pos ?? 'end', { scrollIntoView: false });
  }, [editor, caretRef]);
}
