import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { shortText } from '../../api/label';
import { textAttributes, textOf } from '../kinds/control-attributes';
import type { ControlProps, LockedProps } from '../kinds/field-view';
import { findJsonProblem, formattedJson } from './json-text';
import { LockedText } from '../kinds/plain-views';

/** The text of a value that is an object or a list. What is typed stays as it is, also where it is no JSON. */
export function JsonControl(props: ControlProps) {
  const value = textOf(props);
  const [typing, setTyping] = useState(() => ({ text: formattedJson(value), value }));
  const [checked, setChecked] = useState('');
  const text = typing.value === value ? typing.text : formattedJson(value);
  const problem = checked === text ? problemText(text) : undefined;
  const { onChange, ...attributes } = textAttributes(props);
  return (
    <Textarea
      {...attributes}
      value={text}
      error={problem ?? props.error}
      classNames={{ input: 'json-input' }}
      rows={Math.min(Math.max(text.split('\n').length, 4), 20)}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => {
        const next = event.currentTarget.value;
        setTyping({ text: next, value: next });
        // A problem that is shown goes, or moves, with what is typed.
        if (problem !== undefined) setChecked(next);
        onChange(event);
      }}
      onBlur={() => setChecked(text)}
    />
  );
}

function problemText(text: string): string | undefined {
  const problem = text.trim() === '' ? undefined : findJsonProblem(text);
  return problem && `Line ${problem.line}, column ${problem.column}: ${problem.message}.`;
}

export function LockedJson({ value }: LockedProps) {
  const text = shortText(value);
  if (text === '') return <LockedText text="" />;
  return <pre className="json-text">{formattedJson(text)}</pre>;
}
