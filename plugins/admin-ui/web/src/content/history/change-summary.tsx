import type { FormField, ItemMetadata } from '@gantry/contracts';
import { Fragment } from 'react';
import type { ItemChange } from '../../api/changes';
import { numberText } from '../../api/json';
import { shortText } from '../../api/label';
import { sourceText } from '../../ui/text/change-text';
import { optionText } from '../choice-text';
import { localNumber, plainNumber } from '../kinds/number/digits';
import { kindOf } from '../kinds/registry';

export interface ChangeSummaryProps {
  readonly metadata: ItemMetadata;
  readonly change: ItemChange;
}

/** Fields that a line names; the others are counted. */
const maxFields = 3;

/** Summary of a change in a line: `Price 29.90 32.90, Text and Image`. */
export function ChangeSummary({ metadata, change }: ChangeSummaryProps) {
  const source = sourceText(change.source);
  return (
    <span className="change-summary">
      <Changed metadata={metadata} change={change} />
      {source === undefined ? null : ` ${source}`}
    </span>
  );
}

function Changed({ metadata, change }: ChangeSummaryProps) {
  const { action, restoredVersion, changed } = change;
  if (action !== 'updated') return <b>{words[action]}</b>;
  if (restoredVersion !== undefined) return <b>Restored version {restoredVersion}</b>;
  if (changed.length === 0) return 'No field that you can see changed';
  const shown = changed.slice(0, changed.length === maxFields + 1 ? changed.length : maxFields);
  const rest = changed.length - shown.length;
  return (
    <>
      {shown.map((name, index) => (
        <Fragment key={name}>
          {index === 0 ? '' : index === changed.length - 1 ? ' and ' : ', '}
          <ChangedField metadata={metadata} change={change} name={name} />
        </Fragment>
      ))}
      {rest === 0 ? null : ` and ${rest} more`}
    </>
  );
}

const words = {
  created: 'Created',
  deleted: 'Deleted',
  restored: 'Restored after it was deleted',
  left: 'No longer visible',
} as const;

function ChangedField({ metadata, change, name }: ChangeSummaryProps & { readonly name: string }) {
  const field = metadata.fields.find((known) => known.name === name);
  const [before, after] = [change.previous?.[name], change.values?.[name]].map((value) =>
    field === undefined ? undefined : valueText(field, value),
  );
  return (
    <>
      <b>{field?.displayName ?? name}</b>
      {before === undefined || after === undefined ? null : (
        <>
          {' '}
          <del>{before}</del> {after}
        </>
      )}
    </>
  );
}

/** A value that fits a line; undefined for others, and for none. */
function valueText(field: FormField, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const kind = kindOf(field.type);
  if (kind.isNumeric) return localNumber(plainNumber(numberText(value) ?? shortText(value), field));
  if (field.options !== undefined) return typeof value === 'string' ? optionText(field, value) : undefined;
  const text = shortText(value);
  return kind.isOnCards && text.length <= maxLength ? text : undefined;
}

const maxLength = 40;
