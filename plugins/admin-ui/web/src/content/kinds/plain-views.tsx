import { CloseButton, NativeSelect, Text, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { shortText } from '../../api/label';
import type { CellProps, FilterProps, FilterTextProps, LockedProps } from './field-view';

/** A value as text. */
export function LockedText({ text }: { readonly text: string }) {
  return (
    <Text className="long-text" dir="auto">
      {text === '' ? '—' : text}
    </Text>
  );
}

export function PlainLocked({ value }: LockedProps) {
  return <LockedText text={shortText(value)} />;
}

/** The beginning of a text; ten thousand characters in each row would only slow the table down. */
export function PlainCell({ column, item }: CellProps) {
  const text = shortText(item.values[column.name]);
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return (
    <span dir="auto" title={shown.length > 30 ? shown : undefined}>
      {shown}
    </span>
  );
}

export function PlainFilter(props: FilterProps) {
  return <TextFilter {...props} inputMode="text" />;
}

/** A value that is typed. */
export function TextFilter({
  field,
  label,
  value,
  onChange,
  inputMode,
}: FilterProps & { readonly inputMode: 'text' | 'decimal' }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <TextInput
      ref={input}
      data-search-value
      className="search-value"
      aria-label={label}
      placeholder={`Search ${field.displayName.toLocaleLowerCase()}`}
      inputMode={inputMode}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        value === '' ? null : (
          <CloseButton
            aria-label="Clear value"
            onClick={() => {
              onChange('');
              // The button goes with the value.
              input.current?.focus();
            }}
          />
        )
      }
    />
  );
}

/** A value that is one of a few. */
export function ChoiceFilter({
  label,
  choices,
  value,
  onChange,
}: Omit<FilterProps, 'field'> & {
  readonly choices: readonly (string | { readonly value: string; readonly label: string })[];
}) {
  return (
    <NativeSelect
      data-search-value
      aria-label={label}
      data={[{ value: '', label: 'Choose …' }, ...choices]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function PlainFilterText({ value }: Pick<FilterTextProps, 'value'>) {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}
