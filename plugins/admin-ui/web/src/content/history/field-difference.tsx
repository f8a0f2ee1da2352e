import type { FormField } from '@gantry/contracts';
import type { ReactNode } from 'react';
import { referencesIn, type Reference } from '../../api/items';
import { numberText } from '../../api/json';
import { shortText } from '../../api/label';
import { RightIcon } from '../../ui/icons';
import { documentText } from '../../api/platform/document';
import { formattedJson } from '../json/json-text';
import { localNumber, plainNumber } from '../kinds/number/digits';
import { kindOf } from '../kinds/registry';
import { viewOfField } from '../kinds/views';
import { ReferenceLink } from '../reference/reference-link';
import { targetType } from '../target-type';
import { EntriesDifference } from './entries-difference';
import { hasCommonWords, shortened, wordDifference, type TextPart } from './word-difference';

export interface FieldDifferenceProps {
  readonly field: FormField;
  readonly before: unknown;
  readonly after: unknown;
}

/** How a field changed: text word by word, several references by what came and went, other values one after the other. */
export function FieldDifference(props: FieldDifferenceProps) {
  const { field } = props;
  if (field.referenceCardinality === 'MULTIPLE') return <References {...props} />;
  if (field.fields !== undefined) return <EntriesDifference {...props} />;
  if (field.document !== undefined) return <Texts {...props} textOf={documentText} />;
  if (field.valueType === 'object' || field.valueType === 'array') return <Texts {...props} textOf={jsonTextOf} />;
  return kindOf(field.type).differsByWord && !isChoice(field) ? (
    <Texts {...props} textOf={(value) => (typeof value === 'string' ? value : '')} />
  ) : (
    <ValuePair {...props} />
  );
}

/** One value of a field, as it was in a version. */
export function FieldValue({ field, value }: { readonly field: FormField; readonly value: unknown }) {
  if (isEmpty(value)) return <NoValue />;
  if (kindOf(field.type).isNumeric) return <span className="tabular">{formattedNumber(field, value)}</span>;
  const { Locked } = viewOfField(field);
  return <Locked field={field} value={value} />;
}

function ValuePair({ field, before, after }: FieldDifferenceProps) {
  return (
    <Pair
      before={isEmpty(before) ? undefined : <FieldValue field={field} value={before} />}
      after={isEmpty(after) ? undefined : <FieldValue field={field} value={after} />}
    />
  );
}

/** Values that have a text, word by word where the texts have words in common. */
function Texts({ textOf, ...props }: FieldDifferenceProps & { textOf(value: unknown): string }) {
  const [before, after] = [textOf(props.before), textOf(props.after)];
  if (before === '' || after === '') return <ValuePair {...props} />;
  if (before === after) return <FormatChange {...props} />;
  const parts = wordDifference(before, after);
  return hasCommonWords(parts) ? <TextDifference parts={shortened(parts)} /> : <ValuePair {...props} />;
}

/** The text is the same. */
function FormatChange(props: FieldDifferenceProps) {
  return (
    <>
      <p className="no-value">The text is the same; its format has changed.</p>
      <ValuePair {...props} />
    </>
  );
}

function jsonTextOf(value: unknown): string {
  return isEmpty(value) ? '' : formattedJson(shortText(value));
}

function References({ field, before, after }: FieldDifferenceProps) {
  const [old, now] = [referencesIn(before), referencesIn(after)];
  const added = without(now, old);
  const removed = without(old, now);
  const kept = now.length - added.length;
  const isMoved = added.length === 0 && removed.length === 0;
  return (
    <ul className="value-list list-difference">
      {removed.map((reference) => (
        <li key={`removed ${reference.id}`} data-kind="removed">
          <span className="visually-hidden">Removed: </span>
          <Target field={field} reference={reference} />
        </li>
      ))}
      {added.map((reference) => (
        <li key={`added ${reference.id}`} data-kind="added">
          <span className="visually-hidden">Added: </span>
          <Target field={field} reference={reference} />
        </li>
      ))}
      {isMoved ? <li>Order changed: {now.map(({ label }) => label).join(', ')}</li> : null}
      {kept > 0 && !isMoved ? <li className="no-value">{kept.toLocaleString()} unchanged</li> : null}
    </ul>
  );
}

function Target({ field, reference: { id, label } }: { readonly field: FormField; readonly reference: Reference }) {
  const target = targetType(field.reference);
  if (target === undefined) return <bdi>{label}</bdi>;
  return <ReferenceLink target={target} id={id} label={label} field={field.name} />;
}

/** Two values with an arrow between them; undefined for none. */
function Pair({ before, after }: { readonly before: ReactNode; readonly after: ReactNode }) {
  return (
    <div className="value-pair">
      <div className="value-before">
        <span className="visually-hidden">Before: </span>
        {before ?? <NoValue />}
      </div>
      <RightIcon size={14} className="value-arrow" />
      <div>
        <span className="visually-hidden">After: </span>
        {after ?? <NoValue />}
      </div>
    </div>
  );
}

function NoValue() {
  return <span className="no-value">no value</span>;
}

function without(references: readonly Reference[], others: readonly Reference[]): readonly Reference[] {
  const known = new Set(others.map(({ id }) => id));
  return references.filter(({ id }) => !known.has(id));
}

function isChoice({ options }: FormField): boolean {
  return options !== undefined;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** With the separators of the reader's language; a value of another kind, of which the field once was, as it is. */
function formattedNumber(field: FormField, value: unknown): string {
  return localNumber(plainNumber(numberText(value) ?? shortText(value), field));
}

/** Two texts as one, with what was removed and added marked. */
function TextDifference({ parts }: { readonly parts: readonly TextPart[] }) {
  return (
    <p className="text-difference long-text" dir="auto">
      {parts.map(({ kind, text }, index) => {
        // The parts of one difference never change places.
        if (kind === 'removed') return <del key={index}>{text}</del>;
        if (kind === 'added') return <ins key={index}>{text}</ins>;
        return <span key={index}>{text}</span>;
      })}
    </p>
  );
}
