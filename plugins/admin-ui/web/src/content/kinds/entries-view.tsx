import type { FormField } from '@gantry/contracts';
import { shortText } from '../../api/label';
import { optionText } from '../choice-text';
import type { FieldView, LockedProps } from './field-view';
import { jsonView } from '../json/json-view';
import { LockedText } from './plain-views';

/** Lists of entries whose members the metadata describes; their control is that of the plugin, or the text of their JSON. */
export const entriesView: FieldView = { ...jsonView, Locked: LockedEntries };

function LockedEntries({ field, value }: LockedProps) {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  if (entries.length === 0) return <LockedText text="" />;
  return (
    <ol className="value-list">
      {entries.map((entry, index) => (
        <li key={index} className="long-text" dir="auto">
          {entryText(field, entry)}
        </li>
      ))}
    </ol>
  );
}

/** An entry in one line: its members with their labels, in the order of the form. */
export function entryText({ fields = [] }: Pick<FormField, 'fields'>, entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return shortText(entry);
  const values = new Map(Object.entries(entry));
  const parts = fields.flatMap((field) => {
    const text = shortText(values.get(field.name));
    return text === '' ? [] : [`${field.displayName}: ${field.options === undefined ? text : optionText(field, text)}`];
  });
  return parts.length === 0 ? shortText(entry) : parts.join(' · ');
}
