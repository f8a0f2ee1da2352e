import { Input } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import type { Reference } from '../../api/items';
import { CloseIcon } from '../../ui/icons';
import { IconButton } from '../../ui/page/link-button';
import { OrderedList } from '../../ui/ordered-list';
import { ReferenceLink } from './reference-link';
import { ReferenceSelect } from './reference-select';

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
      <Input.Label htmlFor={id} id={heading} required={required}>
        {label}
      </Input.Label>
      {description === undefined ? null : <Input.Description mb="xxs">{description}</Input.Description>}
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
  return (
    <OrderedList
      label={`Chosen ${label}`}
      entries={chosen}
      idOf={(reference) => reference.id}
      nameOf={shortName}
      onChange={onChange}
      renderEntry={(reference) => (
        <span className="label" dir="auto" title={`#${reference.id} ${reference.label.slice(0, 200)}`}>
          <ReferenceLink target={target} id={reference.id} label={reference.label} field={field} />
        </span>
      )}
      renderEnd={(reference) => (
        <IconButton
          label={`Remove ${shortName(reference)}`}
          onClick={() => {
            onChange(chosen.filter(({ id: other }) => other !== reference.id));
            // This button goes with its reference.
            document.getElementById(id)?.focus();
          }}
        >
          <CloseIcon size={16} />
        </IconButton>
      )}
    />
  );
}

function shortName({ label }: Reference): string {
  return label.slice(0, 80);
}
