import { ActionIcon, TextInput } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { CalendarIcon } from '../../ui/icons';
import { parseDay } from './day-text';
import { controlAttributes } from './control-attributes';
import type { ControlProps, FilterProps } from './field-view';

/** How what is typed and what is stored belong together. */
export interface TypedForm {
  readonly placeholder: string;
  /** The stored text as people type it. */
  typed(value: string): string;
  /** Stored form of the typed text; unknown text stays as it is, so that the platform reports the problem. */
  stored(text: string): string;
  /** Explanation of the value while the reader types. */
  explain(value: string, text: string): ReactNode;
  /** The type of the browser's own picker, with the forms that it takes and gives. */
  readonly picker?: {
    readonly type: 'date' | 'datetime-local';
    fromTyped(text: string): string;
    toTyped(value: string): string;
  };
}

/** The typed text, as long as it is the value of the form. */
function useTyped(value: string, form: TypedForm, onChange: (value: string) => void) {
  const [typing, setTyping] = useState({ text: form.typed(value), value });
  const text = typing.value === value ? typing.text : form.typed(value);
  const type = (next: string): void => {
    const stored = form.stored(next);
    setTyping({ text: next, value: stored });
    onChange(stored);
  };
  return [text, type] as const;
}

export function TypedControl({ form, ...props }: ControlProps & { readonly form: TypedForm }) {
  const value = typeof props.value === 'string' ? props.value : '';
  const [text, type] = useTyped(value, form, props.onChange);
  const explanation = form.explain(value, text);
  const { description, ...attributes } = controlAttributes(props);
  return (
    <TextInput
      {...attributes}
      description={
        description === undefined && explanation === undefined ? undefined : (
          <>
            {description}
            {description !== undefined && explanation !== undefined ? <br /> : null}
            {explanation}
          </>
        )
      }
      placeholder={props.field.placeholder || form.placeholder}
      value={text}
      autoComplete="off"
      onChange={(event) => type(event.currentTarget.value)}
      rightSection={
        form.picker && (
          <Picker
            picker={form.picker}
            text={text}
            label={props.field.displayName}
            limits={[props.field.min, props.field.max].map((limit) => form.typed(String(limit ?? '')))}
            onPick={type}
          />
        )
      }
    />
  );
}

export function TypedFilter({ form, label, value, onChange }: FilterProps & { readonly form: TypedForm }) {
  const [text, type] = useTyped(value, form, onChange);
  return (
    <TextInput
      data-search-value
      className="search-value"
      aria-label={label}
      placeholder={form.placeholder}
      value={text}
      autoComplete="off"
      onChange={(event) => type(event.currentTarget.value)}
      rightSection={form.picker && <Picker picker={form.picker} text={text} label={label} onPick={type} />}
    />
  );
}

/** The calendar of a day that is typed outside of forms. */
export function DayPicker(props: { readonly text: string; readonly label: string; onPick(text: string): void }) {
  return <Picker {...props} picker={dayPicker} />;
}

/** The browser's own calendar of days. */
export const dayPicker: NonNullable<TypedForm['picker']> = {
  type: 'date',
  fromTyped: (text) => (parseDay(text) === undefined ? '' : text),
  toTyped: (value) => value,
};

/** A button that opens the browser's own calendar; what is chosen there is typed. */
function Picker({
  picker,
  text,
  label,
  limits: [min = '', max = ''] = [],
  onPick,
}: {
  readonly picker: NonNullable<TypedForm['picker']>;
  readonly text: string;
  readonly label: string;
  /** The first and the last value, as they are typed. */
  readonly limits?: readonly string[];
  onPick(text: string): void;
}) {
  const input = useRef<HTMLInputElement>(null);
  // Browsers make an input of this type from a dozen elements, and most forms are read without a calendar.
  const [isNeeded, setIsNeeded] = useState(false);
  const open = (): void => {
    // Within the click, after which the browser would refuse to open it.
    flushSync(() => setIsNeeded(true));
    input.current?.showPicker();
  };
  return (
    <span className="native-picker">
      <ActionIcon variant="subtle" color="gray" aria-label={`Choose ${label} in a calendar`} onClick={open}>
        <CalendarIcon size={16} />
      </ActionIcon>
      {isNeeded ? (
        <input
          ref={input}
          type={picker.type}
          tabIndex={-1}
          aria-hidden
          className="visually-hidden"
          min={picker.fromTyped(min)}
          max={picker.fromTyped(max)}
          value={picker.fromTyped(text)}
          onChange={(event) => {
            if (event.currentTarget.value !== '') onPick(picker.toTyped(event.currentTarget.value));
          }}
        />
      ) : null}
    </span>
  );
}
