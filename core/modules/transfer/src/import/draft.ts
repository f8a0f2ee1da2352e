import type { ErrorDetail } from '@gantry/contracts';
import {
  type FieldDescriptor,
  type ItemTypeDescriptor,
  isLinked,
  maximumReferences,
  readId,
} from '@gantry/core-content';
import { numberText } from '@gantry/core-common';
import {
  readReferences,
  readReferenceText,
  type ReferenceInput,
  type ReferenceReading,
} from '../reference/reference-input';
import type { ReferenceKey } from '../reference/reference-key';
import { fromSafeText } from '../safe-csv';
import { idName, type MappedValues } from './mapping';

/** An item of the file on its way to a payload: its references are not looked up yet. */
export interface Draft {
  readonly line: number;
  /** As the REST interface takes it, but for references; those follow when they are resolved. */
  readonly payload: Record<string, unknown>;
  readonly references: ReadonlyMap<string, readonly ReferenceInput[]>;
  /** Only where items are matched by id. */
  readonly id: string | undefined;
  readonly problems: ErrorDetail[];
  /** Problems of references to items that a policy hides: none where the item refers to them already. */
  readonly problemsOfChange: ErrorDetail[];
}

export interface DraftOptions {
  readonly type: ItemTypeDescriptor;
  /** Keys of the targets by field name. */
  readonly keys: ReadonlyMap<string, ReferenceKey | undefined>;
  /** Whether values of the file are text (CSV); those that were set for all items always are. */
  readonly isText: boolean;
  readonly set: ReadonlySet<string>;
  readonly ids: boolean;
  readonly safeCsv: boolean;
  readonly keepEmpty: boolean;
}

/** Brings the values of the file into the form that the field's kind reads. What it cannot read is left to the kind to refuse. */
export function createDraft(line: number, { values, problems }: MappedValues, options: DraftOptions): Draft {
  const payload: Record<string, unknown> = {};
  const references = new Map<string, readonly ReferenceInput[]>();
  const found = [...problems];
  for (const field of options.type.fields) {
    if (!values.has(field.name)) continue;
    const isText = options.isText || options.set.has(field.name);
    const value = isText ? cellValue(values.get(field.name), field, options) : jsonValue(values.get(field.name), field);
    if (value === undefined) continue;
    const inputs = value === null || field.reference === undefined ? undefined : readAll(value, field, isText, options);
    if (inputs === 'too many') found.push(tooManyReferences(field));
    else if (inputs !== undefined) references.set(field.name, inputs);
    else if (value !== null && field.reference !== undefined) found.push(noReference(field, options));
    else payload[field.name] = value === null ? null : fileValue(value, field, isText);
  }
  const id = values.has(idName) ? readItemId(values.get(idName), found) : undefined;
  return { line, payload, references, id, problems: found, problemsOfChange: [] };
}

/** An empty cell is null; where the field has to have a value and has a default, it is as if the column were not there. */
function cellValue(value: unknown, field: FieldDescriptor, { safeCsv, keepEmpty }: DraftOptions): unknown {
  const isEmpty = value === '' && (!keepEmpty || field.kind.isEmptyTextNone);
  if (value === null || isEmpty) return field.required && field.default !== undefined ? undefined : null;
  return safeCsv && typeof value === 'string' ? fromSafeText(value) : value;
}

/** The empty text means what it means in a request. */
function jsonValue(value: unknown, { kind }: FieldDescriptor): unknown {
  return value === '' && kind.isEmptyTextNone ? null : value;
}

function readAll(
  value: unknown,
  field: FieldDescriptor,
  isText: boolean,
  options: DraftOptions,
): readonly ReferenceInput[] | 'too many' | undefined {
  const reading: ReferenceReading = {
    isList: isLinked(field),
    key: options.ids ? undefined : options.keys.get(field.name),
  };
  // Some of the separators may belong to keys.
  const isLong = isText && reading.isList && countOf('|', String(value)) > 100 * maximumReferences;
  if (isLong) return 'too many';
  const inputs = isText ? readReferenceText(String(value), reading) : readReferences(value, reading);
  return inputs !== undefined && inputs.length > maximumReferences ? 'too many' : inputs;
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/** Called before they are looked up. */
function tooManyReferences({ name }: FieldDescriptor): ErrorDetail {
  return { path: name, code: 'TOO_MANY', message: `${name} must list at most ${maximumReferences} items` };
}

function noReference(field: FieldDescriptor, options: DraftOptions): ErrorDetail {
  const key = options.ids ? undefined : options.keys.get(field.name);
  const how = key === undefined ? 'id' : `${key.parts[0].field.name} or id`;
  const many = isLinked(field) ? `a list with the ${how} of each item` : `the ${how} of the item`;
  return { path: field.name, code: 'WRONG_TYPE', message: `${field.name} must be ${many} that it refers to` };
}

function fileValue(value: unknown, { kind }: FieldDescriptor, isText: boolean): unknown {
  if (!isText) return kind.fromFileJson(value);
  return typeof value === 'string' ? kind.fromCell(value) : value;
}

function readItemId(value: unknown, problems: ErrorDetail[]): string | undefined {
  const text = numberText(value) ?? value;
  const id = readId(typeof text === 'string' ? text : '');
  if (id.ok) return id.value;
  problems.push({ path: idName, code: id.code, message: `${idName} ${id.message}` });
  return undefined;
}
