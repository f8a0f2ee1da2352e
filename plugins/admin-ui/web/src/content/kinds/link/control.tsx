import { Group, Input, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Reference } from '../../../api/items';
import { typesQuery } from '../../../api/queries';
import { CloseIcon } from '../../../ui/icons';
import { IconButton } from '../../../ui/page/link-button';
import { OrderedList } from '../../../ui/ordered-list';
import { ReferenceSelect } from '../../reference/reference-select';
import type { ControlProps } from '../field-view';
import { ItemOfLink, partsOf } from './item-of-link';

/** A type, and an item of it; of a list, those that are chosen above. */
export function LinkControl({ id, field, value, error, onChange }: ControlProps) {
  const heading = useId();
  const chosen = Array.isArray(value) ? (value as readonly Reference[]) : [];
  const isList = field.multiple === true;
  const [only] = isList ? [] : chosen;
  return (
    <div role="group" aria-labelledby={heading}>
      <Input.Label htmlFor={id} id={heading} required={field.required}>
        {field.displayName}
      </Input.Label>
      {field.help === undefined ? null : <Input.Description mb="xxs">{field.help}</Input.Description>}
      {isList && chosen.length > 0 ? (
        <Chosen label={field.displayName} name={field.name} chosen={chosen} onChange={onChange} />
      ) : null}
      <LinkPicker
        id={id}
        label={isList ? `Add to ${field.displayName}` : field.displayName}
        field={field.name}
        targets={field.linkTargets ?? []}
        chosen={only}
        without={isList ? chosen : []}
        error={error}
        onChoose={(link) => onChange(isList ? [...chosen, link] : [link])}
        onClear={field.required || isList ? undefined : () => onChange([])}
      />
    </div>
  );
}

export interface LinkPickerProps {
  readonly id?: string;
  readonly label: string;
  /** The field of the form, whose link may be to a new item. */
  readonly field?: string;
  readonly targets: readonly string[];
  readonly chosen?: Reference | undefined;
  readonly without?: readonly Reference[];
  readonly error?: string | undefined;
  onChoose(link: Reference): void;
  readonly onClear?: (() => void) | undefined;
}

/** Finds one item of one of the types. */
export function LinkPicker({ id, label, field, targets, chosen, without = [], error, ...on }: LinkPickerProps) {
  const { data: types = [] } = useQuery(typesQuery);
  const linked = chosen && partsOf(chosen.id);
  const [picked, setPicked] = useState<string>();
  const type = picked ?? (linked?.type || targets[0] || '');
  const isOfType = linked?.type === type;
  const nameOf = (code: string): string => types.find((one) => one.type === code)?.displayName ?? code;
  return (
    <Group gap="xs" grow preventGrowOverflow={false} align="center">
      <Select
        aria-label={`Type of ${label}`}
        data={targets.map((code) => ({ value: code, label: nameOf(code) }))}
        value={type}
        allowDeselect={false}
        onChange={(code) => setPicked(code ?? undefined)}
      />
      <ReferenceSelect
        key={type}
        {...(id === undefined ? {} : { id })}
        label={label}
        field={field}
        target={type}
        chosen={linked !== undefined && isOfType ? { id: linked.id, label: chosen?.label ?? '' } : undefined}
        chosenText={isOfType ? chosen?.label : undefined}
        without={without.map((link) => partsOf(link.id)).flatMap((one) => (one.type === type ? [one.id] : []))}
        error={error}
        onChoose={(item) => on.onChoose({ id: `${type}/${item.id}`, label: item.label })}
        onClear={isOfType ? on.onClear : undefined}
      />
    </Group>
  );
}

interface ChosenProps {
  readonly label: string;
  readonly name: string;
  readonly chosen: readonly Reference[];
  onChange(chosen: readonly Reference[]): void;
}

function Chosen({ label, name, chosen, onChange }: ChosenProps) {
  return (
    <OrderedList
      label={`Chosen ${label}`}
      entries={chosen}
      idOf={({ id }) => id}
      nameOf={(link) => link.label.slice(0, 80)}
      onChange={onChange}
      renderEntry={(link) => (
        <span className="label" dir="auto" title={link.id}>
          <ItemOfLink link={link} field={name} />
        </span>
      )}
      renderEnd={(link) => (
        <IconButton
          label={`Remove ${link.label.slice(0, 80)}`}
          onClick={() => onChange(chosen.filter(({ id }) => id !== link.id))}
        >
          <CloseIcon size={16} />
        </IconButton>
      )}
    />
  );
}
