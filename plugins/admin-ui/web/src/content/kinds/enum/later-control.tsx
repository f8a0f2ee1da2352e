import { Checkbox, Combobox, Input, InputBase, Select, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { optionText } from '../../choice-text';
import { controlAttributes, textOf } from '../control-attributes';
import type { ControlProps } from '../field-view';

/** One of the options, or several of them. */
export function ChoiceControl(props: ControlProps) {
  return props.field.multiple === true ? <SeveralChoices {...props} /> : <OneChoice {...props} />;
}

/** Most lists of choices are never opened, and each costs as much as several inputs: it is there from when the reader first opens it. */
function OneChoice(props: ControlProps) {
  const [opening, setOpening] = useState<Opening>();
  if (opening === undefined) return <ClosedChoice {...props} onOpen={setOpening} />;
  return <OpenChoice {...props} opening={opening} />;
}

/** Event by which the reader opened the list. */
type Opening = { readonly by: 'click' } | { readonly by: 'key'; readonly key: string; readonly code: string };

const openingKeys: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'Enter', 'NumpadEnter', 'Space']);

/** An input that looks and reads as the list of choices does while it is closed. */
function ClosedChoice({ onOpen, ...props }: ControlProps & { onOpen(opening: Opening): void }) {
  const { field, onChange } = props;
  const text = textOf(props);
  return (
    <InputBase
      {...choiceAttributes(props)}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      readOnly
      pointer
      value={text === '' ? '' : optionText(field, text)}
      rightSection={
        text === '' || field.required ? (
          <Combobox.Chevron error={props.error} />
        ) : (
          <Input.ClearButton {...clearButtonAttributes(field)} onClick={() => onChange('')} />
        )
      }
      rightSectionPointerEvents="none"
      onClick={() => onOpen({ by: 'click' })}
      onKeyDown={(event) => {
        const { key, code } = event;
        if (!openingKeys.has(code)) return;
        event.preventDefault();
        onOpen({ by: 'key', key, code });
      }}
    />
  );
}

/** The list of choices, to which what opened it happens again. */
function OpenChoice({ opening, ...props }: ControlProps & { readonly opening: Opening }) {
  const { field, onChange } = props;
  const text = textOf(props);
  const input = useRef<HTMLInputElement>(null);
  const [, drawAgain] = useState(false);
  useEffect(() => {
    input.current?.focus();
    if (opening.by === 'click') input.current?.click();
    else input.current?.dispatchEvent(new KeyboardEvent('keydown', { ...opening, bubbles: true, cancelable: true }));
    // The library draws the input as closed until it knows the list, and would not draw it again by itself.
    const frame = requestAnimationFrame(() => drawAgain(true));
    return () => cancelAnimationFrame(frame);
  }, [opening]);
  return (
    <Select
      {...choiceAttributes(props)}
      ref={input}
      data={withCurrent(field.options, text).map((value) => ({ value, label: optionText(field, value) }))}
      value={text === '' ? null : text}
      clearable={!field.required}
      allowDeselect={false}
      clearButtonProps={clearButtonAttributes(field)}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}

function choiceAttributes(props: ControlProps) {
  const { placeholder } = props.field;
  return {
    ...controlAttributes(props),
    ...stateDot(props.field, textOf(props)),
    placeholder: placeholder === '' ? 'Choose …' : placeholder,
  };
}

/** The dot of a state, as it is in lists. */
function stateDot({ optionColors }: ControlProps['field'], value: string) {
  if (optionColors === undefined || value === '') return {};
  return {
    leftSection: <span className="choice-badge" data-color={optionColors[value] ?? 'gray'} />,
    leftSectionWidth: 24,
    leftSectionPointerEvents: 'none',
  } as const;
}

function clearButtonAttributes({ displayName }: ControlProps['field']) {
  return { size: 'md', 'aria-label': `Clear ${displayName}`, 'aria-hidden': false, tabIndex: 0 } as const;
}

/** A stored value that is no option any more stays visible until another one is chosen. */
function withCurrent(options: readonly string[] = [], current: string): string[] {
  return current === '' || options.includes(current) ? [...options] : [current, ...options];
}

function SeveralChoices(props: ControlProps) {
  const { field, id, onChange } = props;
  const { id: _id, ...attributes } = controlAttributes(props);
  const chosen = listOf(textOf(props));
  const offered = [...(field.options ?? []), ...chosen.filter((value) => field.options?.includes(value) === false)];
  return (
    <Checkbox.Group
      {...attributes}
      value={[...chosen]}
      onChange={(values) => onChange(values.length === 0 ? '' : JSON.stringify(values))}
    >
      <Stack gap="icon" mt="icon">
        {offered.map((value, index) => (
          <Checkbox key={value} value={value} label={optionText(field, value)} {...(index === 0 ? { id } : {})} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** The options of the text of a JSON array. */
function listOf(text: string): readonly string[] {
  return text.startsWith('[') ? (JSON.parse(text) as readonly string[]) : [];
}
