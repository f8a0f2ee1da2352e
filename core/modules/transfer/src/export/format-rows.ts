import { stringify } from 'csv-stringify/sync';
import type { RowArray } from '@gantry/core-database';
import { formatKey, formatKeyList } from '../reference/key-text';
import { keyText, type ReferenceKey } from '../reference/reference-key';
import { toSafeText } from '../safe-csv';
import { TransferError } from '../transfer-error';
import { type ExportColumn, type ExportedReference, withoutKey } from './export-column';
import { exactJson, parseWrittenJson } from '@gantry/core-common';
import { isOf } from '@gantry/core-content';

/** Text of a whole file: what comes first, for each batch of rows, and last. */
export interface RowFormat {
  readonly head: string;
  rows(rows: readonly RowArray[], isFirst: boolean): string;
  readonly tail: string;
}

export function jsonLinesFormat(columns: readonly ExportColumn[]): RowFormat {
  return { head: '', rows: (rows) => rows.map((row) => `${jsonRow(row, columns)}\n`).join(''), tail: '' };
}

export function jsonArrayFormat(columns: readonly ExportColumn[]): RowFormat {
  const rows = (batch: readonly RowArray[], isFirst: boolean): string =>
    `${isFirst ? '\n' : ',\n'}${batch.map((row) => jsonRow(row, columns)).join(',\n')}`;
  return { head: '[', rows, tail: '\n]\n' };
}

export interface CsvFormatOptions {
  readonly delimiter: string;
  readonly safeCsv: boolean;
  /** Empty text is two quotes, which distinguishes it from no value. */
  readonly keepEmpty: boolean;
}

export function csvFormat(columns: readonly ExportColumn[], options: CsvFormatOptions): RowFormat {
  const { delimiter, safeCsv, keepEmpty } = options;
  const text = (rows: readonly (readonly (string | null)[])[]): string =>
    stringify([...rows], {
      delimiter,
      // A line of one empty value would be a blank line, which readers pass over.
      quoted_empty: columns.length === 1 && !keepEmpty,
      quoted_match: keepEmpty ? /[\r\n]|^$/ : /[\r\n]/,
    });
  const cells = (row: RowArray): readonly (string | null)[] =>
    columns.map((column, index) => cell(textAt(row, index), column, safeCsv));
  return { head: text([columns.map(({ name }) => name)]), rows: (rows) => text(rows.map(cells)), tail: '' };
}

function jsonRow(row: RowArray, columns: readonly ExportColumn[]): string {
  const members = columns.map(
    (column, index) => `${JSON.stringify(column.name)}:${jsonValue(textAt(row, index), column)}`,
  );
  return `{${members.join(',')}}`;
}

function jsonValue(text: string | null, column: ExportColumn): string {
  if (text === null) return column.isList ? '[]' : 'null';
  if (column.links !== undefined) return keyedJson(text, column, jsonReference);
  if (column.kind !== undefined) return column.kind.toFileJson(text);
  if (!column.isList) return jsonReference(JSON.parse(text) as ExportedReference, column);
  const references = JSON.parse(text) as readonly ExportedReference[];
  return `[${references.map((reference) => jsonReference(reference, column)).join(',')}]`;
}

function jsonReference(reference: ExportedReference, { name, key }: ExportColumn): string {
  if (key === undefined) return reference[0];
  const parts = keyParts(reference, name, key);
  if (parts.length === 1) return JSON.stringify(formatKey(parts, key.parts.length));
  return JSON.stringify(Object.fromEntries(key.parts.map(({ field }, index) => [field.name, parts[index]])));
}

function cell(text: string | null, column: ExportColumn, safeCsv: boolean): string | null {
  if (text === null) return null;
  if (column.links !== undefined) return keyedJson(text, column, jsonReference);
  if (column.kind !== undefined) return safe(column.kind.toCell(text), safeCsv && column.kind.isText);
  return column.isList
    ? listCell(JSON.parse(text) as readonly ExportedReference[], column, safeCsv)
    : referenceCell(JSON.parse(text) as ExportedReference, column, safeCsv);
}

function referenceCell(reference: ExportedReference, { name, key }: ExportColumn, safeCsv: boolean): string {
  if (key === undefined) return reference[0];
  return safe(formatKey(keyParts(reference, name, key), key.parts.length), safeCsv);
}

function listCell(references: readonly ExportedReference[], { name, key }: ExportColumn, safeCsv: boolean): string {
  if (key === undefined) return references.map(([id]) => id).join('|');
  const keys = references.map((reference) => keyParts(reference, name, key));
  return safe(formatKeyList(keys, key.parts.length), safeCsv);
}

function safe(text: string, isSafe: boolean): string {
  return isSafe ? toSafeText(text) : text;
}

/** The first part alone where that is enough. */
function keyParts([id, isNear, ...parts]: ExportedReference, field: string, key: ReferenceKey): readonly string[] {
  const wanted = isNear ? parts.slice(0, 1) : parts;
  return wanted.map((part, index) => {
    const keyPart = key.parts[index];
    if (part !== null && part !== '' && keyPart !== undefined) return keyText(keyPart, part);
    throw new TransferError(
      `${field} refers to ${key.target.displayName} ${id}, which has no ${keyPart?.field.name ?? ''} to name it by.`,
      'Give it one, or export with --ids; such a file can be imported into this database, or into an empty one with --keep-ids.',
      {
        requestRemedy:
          'Give it one, or export with ids=true; such a file can be imported into this database, or into an empty one with keepIds=true.',
      },
    );
  });
}

function textAt(row: RowArray, index: number): string | null {
  const value = row[index];
  return typeof value === 'string' ? value : null;
}

/** The JSON of a value, with keys in the place of ids. */
function keyedJson(
  text: string,
  { kind, links }: ExportColumn,
  jsonOf: (reference: ExportedReference, column: ExportColumn) => string,
): string {
  const [value, ...lists] = JSON.parse(text) as readonly [string, ...(readonly ExportedReference[] | null)[]];
  const json = kind?.toFileJson(value) ?? 'null';
  if (links === undefined || lists.every((list) => list === null)) return json;
  const { field, columns } = links;
  const keyed = field.kind.links?.map(parseWrittenJson(json), (link) => {
    const index = field.links?.targets.findIndex((target) => isOf(target, link.type)) ?? -1;
    const reference = lists[index]?.find(([id]) => id === link.id);
    const column = columns[index];
    if (reference === undefined || column === undefined) return link;
    if (column.key === undefined) throw withoutKey(field, field.links?.targets[index]?.target ?? link.type);
    return { type: link.type, key: JSON.parse(jsonOf(reference, column)) as unknown };
  });
  return exactJson(keyed);
}
