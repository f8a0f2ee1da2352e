import './document.css';
import { Input } from '@mantine/core';
import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { lazyPart } from '../../ui/lazy-part';
import { textOf } from '../kinds/control-attributes';
import type { ControlProps, LockedProps } from '../kinds/field-view';
import { JsonControl } from '../json/json-control';
import { LockedText } from '../kinds/plain-views';
import { documentText, parseDocument, type DocumentNode } from '../../api/platform/document';
import { DocumentContent } from './document-content';
import { controlLooks } from './document-controls';
import {
  hasNoFocus,
  hasSource,
  rulesOf,
  toolbarGroups,
  type CaretPlace,
  type DocumentFrameProps,
} from './document-frame';
import { isEditable } from './known-parts';

const Editor = lazyPart<DocumentFrameProps>(
  async () => (await import('./document-editor')).DocumentEditor,
  () => true,
  DocumentPreview,
);

interface DocumentControlProps extends ControlProps {
  /** The document of a value that is not its JSON; undefined for none. */
  read?(value: string): DocumentNode | undefined;
}

/** The document as it is read. The editor, which is large, takes its place as soon as somebody uses the page. */
export function DocumentControl({ read = parseDocument, ...props }: DocumentControlProps) {
  const [isOpen, setIsOpen] = useState(false);
  const caretRef = useRef<CaretPlace>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    whenUsed(() => setIsOpen(true), controller.signal);
    return () => controller.abort();
  }, []);
  const value = textOf(props);
  // Documents of the editor can be edited.
  const isKnown = value === '' || hasSource(props.field) || isEditable(parseDocument(value));
  if (!isOpen && !isKnown) return <JsonControl {...props} />;
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
        read={read}
        attributes={textboxOf(props)}
        caretRef={caretRef}
        isOpen={isOpen}
        onOpen={() => setIsOpen(true)}
      />
    </Input.Wrapper>
  );
}

/** The editor is no input, which a label would be for. */
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

/** Runs work with the first sign of a reader: of a pointer, a key or a finger. */
function whenUsed(run: () => void, signal: AbortSignal): void {
  for (const event of ['pointermove', 'pointerdown', 'keydown']) window.addEventListener(event, run, { signal });
}

function DocumentPreview({ control, read, attributes, caretRef, isOpen, onOpen }: DocumentFrameProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // It took the place of the one that had the focus.
    if (isOpen && caretRef.current !== undefined && hasNoFocus(element.current)) element.current?.focus();
  }, [isOpen, caretRef]);
  const { field } = control;
  const shown = read(textOf(control));
  return (
    <div className="document-frame">
      <div className="document-toolbar" aria-hidden="true">
        {toolbarGroups(rulesOf(field)).map((group) => (
          <span key={group[0]} className="document-controls">
            {group.map((name) => (
              <ControlLook key={name} name={name} />
            ))}
          </span>
        ))}
        {hasSource(field) ? (
          <span className="document-controls">
            <ControlLook name="source" />
          </span>
        ) : null}
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
          <p className="document-placeholder">{field.placeholder}</p>
        ) : (
          <DocumentContent document={shown} hasLinks={false} />
        )}
      </div>
    </div>
  );
}

function ControlLook({ name }: { readonly name: string }) {
  const { Icon } = controlLooks[name] ?? {};
  return <span className="document-button">{Icon === undefined ? null : <Icon size={18} />}</span>;
}

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
