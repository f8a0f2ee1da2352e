import { Input } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import type { Reference } from '../../api/items';
import { CloseIcon, DownIcon, UpIcon } from '../../ui/icons';
import { IconButton } from '../../ui/link-button';
import { ReferenceSelect } from './reference-select';

export interface ReferenceListProps {
  readonly label: string;
  readonly id: string;
  readonly target: string;
  readonly chosen: readonly Reference[];
  readonly required: boolean;
  readonly placeholder: string;
  readonly error?: ReactNode;
  readonly description?: ReactNode;
  onChange(chosen: readonly Reference[]): void;
}

/** Several references in an order that counts and can be changed. */
export function ReferenceList({
  label,
  id,
  target,
  chosen,
  required,
  placeholder,
  error,
  description,
  onChange,
}: ReferenceListProps) {
  const heading = useId();
  return (
    <div role="group" aria-labelledby={heading}>
      <Input.Label component="span" id={heading} required={required}>
        {label}
      </Input.Label>
      {description === undefined ? null : <Input.Description mb={4}>{description}</Input.Description>}
      {chosen.length === 0 ? null : (
        <ol className="value-list" aria-label={`Chosen ${label}`}>
          {chosen.map((reference, index) => (
            <li key={reference.id} className="chosen">
              <span className="label" dir="auto" title={`#${reference.id} ${reference.label.slice(0, 200)}`}>
                {reference.label}
              </span>
              <IconButton
                label={`Move up ${reference.label.slice(0, 80)}`}
                disabled={index === 0}
                onClick={() => onChange(moved(chosen, index, index - 1))}
              >
                <UpIcon size={16} />
              </IconButton>
              <IconButton
                label={`Move down ${reference.label.slice(0, 80)}`}
                disabled={index === chosen.length - 1}
                onClick={() => onChange(moved(chosen, index, index + 1))}
              >
                <DownIcon size={16} />
              </IconButton>
              <IconButton
                label={`Remove ${reference.label.slice(0, 80)}`}
                onClick={() => onChange(chosen.filter(({ id: other }) => other !== reference.id))}
              >
                <CloseIcon size={16} />
              </IconButton>
            </li>
          ))}
        </ol>
      )}
      <ReferenceSelect
        id={id}
        label={`Add to ${label}`}
        target={target}
        without={chosen.map((reference) => reference.id)}
        placeholder={placeholder === '' ? 'Search to add …' : placeholder}
        error={error}
        onChoose={(reference) => onChange([...chosen, reference])}
      />
    </div>
  );
}

function moved(list: readonly Reference[], from: number, to: number): readonly Reference[] {
  const entry = list[from];
  const others = list.filter((_entry, index) => index !== from);
  return entry === undefined ? list : [...others.slice(0, to), entry, ...others.slice(to)];
}
