import { Input } from '@mantine/core';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import type { Reference } from '../../api/items';
import { CloseIcon, DownIcon, icon, UpIcon } from '../../ui/icons';
import { IconButton } from '../../ui/link-button';
import { softDisabledProps } from '../../ui/soft-disabled-props';
import { ReferenceLink } from './reference-link';
import { ReferenceSelect } from './reference-select';
import { moved, useDragOrder } from './use-drag-order';

export interface ReferenceListProps {
  readonly label: string;
  readonly id: string;
  /** Name of the field. */
  readonly field: string;
  readonly target: string;
  readonly chosen: readonly Reference[];
  readonly required: boolean;
  readonly placeholder: string;
  readonly error?: ReactNode;
  readonly description?: ReactNode;
  onChange(chosen: readonly Reference[]): void;
}

/** Several references in an order that counts and can be changed, by keys or by dragging. */
export function ReferenceList(props: ReferenceListProps) {
  const { label, id, target, chosen, required, placeholder, error, description, onChange } = props;
  const heading = useId();
  return (
    <div role="group" aria-labelledby={heading}>
      <Input.Label component="span" id={heading} required={required}>
        {label}
      </Input.Label>
      {description === undefined ? null : <Input.Description mb={4}>{description}</Input.Description>}
      {chosen.length === 0 ? null : <ChosenList {...props} />}
      <ReferenceSelect
        id={id}
        label={`Add to ${label}`}
        field={props.field}
        target={target}
        without={chosen.map((reference) => reference.id)}
        placeholder={placeholder === '' ? 'Search to add …' : placeholder}
        error={error}
        onChoose={(reference) => onChange([...chosen, reference])}
      />
    </div>
  );
}

function ChosenList({ id, label, field, target, chosen, onChange }: ReferenceListProps) {
  const list = useRef<HTMLOListElement>(null);
  const drag = useDragOrder(list, chosen, onChange);
  const [said, setSaid] = useState('');
  const keepFocus = useKeptFocus(list);
  const move = (from: number, to: number, name: string): void => {
    if (to < 0 || to >= chosen.length) return;
    keepFocus();
    onChange(moved(chosen, from, to));
    setSaid(`${name} is now ${to + 1} of ${chosen.length}`);
  };
  return (
    <>
      <ol className="value-list" aria-label={`Chosen ${label}`} ref={list}>
        {drag.shown.map((reference, index) => {
          const name = reference.label.slice(0, 80);
          return (
            <li key={reference.id} className="chosen" data-dragged={drag.dragged === reference.id || undefined}>
              <DragHandle onGrab={() => drag.grab(reference.id)} />
              <span className="label" dir="auto" title={`#${reference.id} ${reference.label.slice(0, 200)}`}>
                <ReferenceLink target={target} id={reference.id} label={reference.label} field={field} />
              </span>
              <IconButton
                label={`Move up ${name}`}
                {...softDisabledProps(index === 0)}
                data-key={`up ${reference.id}`}
                onClick={() => move(index, index - 1, name)}
              >
                <UpIcon size={16} />
              </IconButton>
              <IconButton
                label={`Move down ${name}`}
                {...softDisabledProps(index === chosen.length - 1)}
                data-key={`down ${reference.id}`}
                onClick={() => move(index, index + 1, name)}
              >
                <DownIcon size={16} />
              </IconButton>
              <IconButton
                label={`Remove ${name}`}
                onClick={() => {
                  onChange(chosen.filter(({ id: other }) => other !== reference.id));
                  // This button goes with its reference.
                  document.getElementById(id)?.focus();
                }}
              >
                <CloseIcon size={16} />
              </IconButton>
            </li>
          );
        })}
      </ol>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}

/** Browsers take the focus from an element that moves in the document; this gives it back. */
function useKeptFocus(list: { readonly current: HTMLElement | null }): () => void {
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    const key = wanted.current;
    if (key === undefined) return;
    wanted.current = undefined;
    list.current?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
  });
  return () => {
    wanted.current = document.activeElement?.getAttribute('data-key') ?? undefined;
  };
}

const GripIcon = icon(<path d="M9 6v.2M9 12v.2M9 18v.2M15 6v.2M15 12v.2M15 18v.2" strokeWidth={2.5} />);

/** By which an entry is dragged; those who use keys have buttons beside it. */
function DragHandle({ onGrab }: { onGrab(): void }) {
  return (
    <span
      className="drag-handle"
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // No text is selected on the way.
        event.preventDefault();
        onGrab();
      }}
    >
      <GripIcon size={18} />
    </span>
  );
}
