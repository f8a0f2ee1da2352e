import './document.css';
import { Input } from '@mantine/core';
import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { lazyPart, whenIdle } from '../../ui/lazy-part';
import { textOf } from '../kinds/control-attributes';
import type { ControlProps, LockedProps } from '../kinds/field-view';
import { JsonControl } from '../kinds/json-control';
import { LockedText } from '../kinds/plain-views';
import { documentText, parseDocument } from '../../api/document';
import { DocumentContent } from './document-content';
import { hasNoFocus, noRules, toolbarGroups, type CaretPlace, type DocumentFrameProps } from './document-frame';
import { isEditable } from './known-parts';

const Editor = lazyPart<DocumentFrameProps>(
  async () => (await import('./document-editor')).DocumentEditor,
  () => true,
  DocumentPreview,
);

/** The document as it is read. The editor takes its place when the browser has nothing else to do, or when somebody wants to edit. */
export function DocumentControl(props: ControlProps) {
  const [isOpen, setIsOpen] = useState(false);
  const caretRef = useRef<CaretPlace>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    whenIdle(() => setIsOpen(true), controller.signal);
    return () => controller.abort();
  }, []);
  const value = textOf(props);
  // What the editor gives can be edited.
  if (!isOpen && value !== '' && !isEditable(parseDocument(value))) return <JsonControl {...props} />;
  const { id, field, error } = props;
  const { displayName, help, required } = field;
  const Shown = isOpen ? Editor : DocumentPreview;
  return (
    <Input.Wrapper
      label={displayName}
      labelElement="div"
      labelProps={{ id: `${id}-label`, onClick: () => document.getElementById(id)?.focus() }}
      description={help}
      descriptionProps={{ id: `${id}-description` }}
      error={error}
      errorProps={{ id: `${id}-error` }}
      withAsterisk={required}
    >
      <Shown
        control={props}
        attributes={textboxOf(props)}
        caretRef={caretRef}
        isOpen={isOpen}
        onOpen={() => setIsOpen(true)}
      />
    </Input.Wrapper>
  );
}

/** What is edited is no input, which a label would be for. */
function textboxOf({ id, field, error }: ControlProps): Readonly<Record<string, string>> {
  const descriptions = [
    ...(error === undefined ? [] : [`${id}-error`]),
    ...(field.help === undefined ? [] : [`${id}-description`]),
  ];
  return {
    id,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-labelledby': `${id}-label`,
    'aria-required': String(field.required),
    'aria-invalid': String(error !== undefined),
    ...(descriptions.length === 0 ? {} : { 'aria-describedby': descriptions.join(' ') }),
  };
}

function DocumentPreview({ control, attributes, caretRef, isOpen, onOpen }: DocumentFrameProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // It took the place of the one that had the focus.
    if (isOpen && caretRef.current !== undefined && hasNoFocus()) element.current?.focus();
  }, [isOpen, caretRef]);
  const shown = parseDocument(textOf(control));
  return (
    <div className="document-frame">
      <div className="document-toolbar" aria-hidden="true">
        {toolbarGroups(control.field.document ?? noRules).map((group) => (
          <span key={group[0]} className="document-controls" style={{ width: group.length * controlWidth }} />
        ))}
      </div>
      <div
        {...attributes}
        ref={element}
        className="document document-preview"
        tabIndex={0}
        aria-busy={isOpen}
        onPointerDown={(event) => (caretRef.current = pointIn(event))}
        onFocus={() => {
          caretRef.current ??= 'start';
          onOpen();
        }}
      >
        {shown === undefined ? (
          <p className="document-placeholder">{control.field.placeholder}</p>
        ) : (
          <DocumentContent document={shown} hasLinks={false} />
        )}
      </div>
    </div>
  );
}

/** In CSS pixels; the controls of the editor are as wide. */
const controlWidth = 32;

function pointIn({ currentTarget, clientX, clientY }: PointerEvent): CaretPlace {
  const { left, top } = currentTarget.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top + currentTarget.scrollTop };
}

export function LockedDocument({ value }: LockedProps) {
  const shown = parseDocument(value);
  if (shown === undefined) return <LockedText text={documentText(value)} />;
  return (
    <div className="document">
      <DocumentContent document={shown} hasLinks />
    </div>
  );
}
