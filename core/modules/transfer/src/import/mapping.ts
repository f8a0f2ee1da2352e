import { mustBeGiven, type FieldDescriptor, type ItemTypeDescriptor, unknownFields } from '@gantry/core-content';
import type { ErrorDetail } from '@gantry/contracts';
import { truncate, type JsonObject } from '@gantry/core-common';
import { TransferError } from '../transfer-error';
import type { MappingOptions } from './import-options';

/** The values of an item of the file by field name, and what could not be brought to a field. */
export interface MappedValues {
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly ErrorDetail[];
}

export type Mapping = (source: JsonObject) => MappedValues;

/** The name under which `--match id` finds the id of an item. */
export const idName = 'id';

/** Instead of a field: the column is left out. */
const leftOut = '';

export interface MappedSource {
  readonly type: ItemTypeDescriptor;
  /** Columns of the file; undefined for JSON. */
  readonly columns: readonly string[] | undefined;
  /** Whether the file may have the ids of items. */
  readonly withId: boolean;
  /** Whether every item of the file is a new one, which needs its required fields. */
  readonly creates: boolean;
}

/**
 * Prepares how the columns or keys of a file become fields.
 * @throws TransferError for a field that there is none of, and for columns of a CSV file that cannot be placed
 */
export function createMapping(source: MappedSource, options: MappingOptions): Mapping {
  const known = new Set([...source.type.fields.map(({ name }) => name), ...(source.withId ? [idName] : [])]);
  const targets = [...options.map.values()].filter((name) => name !== leftOut);
  assertFields(source.type, 'map', targets, known);
  assertFields(source.type, 'set', [...options.set.keys()], known);
  if (source.columns !== undefined) assertColumns(source, source.columns, options, known);
  return (values) => mapped(source.type, values, options, known);
}

function mapped(
  type: ItemTypeDescriptor,
  source: JsonObject,
  options: MappingOptions,
  known: ReadonlySet<string>,
): MappedValues {
  const values = new Map<string, unknown>();
  const problems: ErrorDetail[] = [];
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(source)) {
    const target = options.map.get(name) ?? name;
    if (target === leftOut) continue;
    if (!known.has(target)) {
      if (!options.ignoreUnknown) unknown.push(name);
    } else if (values.has(target)) {
      problems.push({
        path: target,
        code: 'DUPLICATE',
        message: `${target} is given twice, also as ${truncate(name)}`,
      });
    } else values.set(target, value);
  }
  for (const [name, text] of options.set) values.set(name, text);
  return { values, problems: [...unknownFields(type, unknown), ...problems] };
}

function assertColumns(
  source: MappedSource,
  columns: readonly string[],
  options: MappingOptions,
  known: ReadonlySet<string>,
): void {
  const targets = columns.map((name) => options.map.get(name) ?? name);
  const absent = [...options.map.keys()].find((name) => !columns.includes(name));
  if (absent !== undefined) {
    throw new TransferError(`The file has no column ${truncate(absent)}.`, `It has ${listed(columns)}.`, {
      parameter: 'map',
    });
  }
  const unknown = columns.filter((_name, index) => targets[index] !== leftOut && !known.has(targets[index] ?? ''));
  const separator = columns.length === 1 ? /[;\t|,]/.exec(columns[0] ?? '')?.[0] : undefined;
  if (unknown.length > 0 && separator !== undefined) throw otherDelimiter(separator, columns[0] ?? '');
  if (unknown.length > 0 && !options.ignoreUnknown) {
    throw new TransferError(
      `${source.type.displayName} has no field for the column${unknown.length === 1 ? '' : 's'} ${listed(unknown)}.`,
      `Name the field with --map "${truncate(unknown[0] ?? '')}=<field>", or ignore such columns with --ignore-unknown. Fields: ${[...known].join(', ')}.`,
      {
        requestRemedy: `Name the field in the parameter map, or ignore such columns with ignoreUnknown=true. Fields: ${[...known].join(', ')}.`,
      },
    );
  }
  const repeated = [...known].find((name) => targets.indexOf(name) !== targets.lastIndexOf(name));
  if (repeated !== undefined) {
    throw new TransferError(
      `Two columns of the file are for the field ${repeated}.`,
      'Correct --map, or rename one of the columns.',
      { requestRemedy: 'Correct the parameter map, or rename one of the columns.' },
    );
  }
  const lacking = source.creates ? source.type.fields.filter((field) => isLacking(field, targets, options)) : [];
  if (lacking.length > 0) {
    const names = lacking.map(({ name }) => name).join(', ');
    throw new TransferError(
      `The file has no column for ${names}, which ${source.type.displayName} requires.`,
      `Name the column with --map "<column>=${lacking[0]?.name}", or give all items the same value with --set "${lacking[0]?.name}=<value>".`,
      {
        requestRemedy: 'Name the column in the parameter map, or give all items the same value with the parameter set.',
      },
    );
  }
}

/** One column whose name has what separates columns elsewhere. */
function otherDelimiter(separator: string, column: string): TransferError {
  const shown = separator === '\t' ? 'tab' : separator;
  return new TransferError(
    `The file has one column only, ${truncate(column)}.`,
    `If ${shown === 'tab' ? 'tabs separate' : `"${shown}" separates`} its values, import it with --delimiter "${shown}".`,
    {
      requestRemedy: `If ${shown === 'tab' ? 'tabs separate' : `"${shown}" separates`} its values, send delimiter=${shown}.`,
    },
  );
}

function isLacking(field: FieldDescriptor, targets: readonly string[], options: MappingOptions): boolean {
  return mustBeGiven(field) && !targets.includes(field.name) && !options.set.has(field.name);
}

function assertFields(
  type: ItemTypeDescriptor,
  parameter: 'map' | 'set',
  names: readonly string[],
  known: ReadonlySet<string>,
): void {
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new TransferError(
    `${type.displayName} has no field ${truncate(unknown)}.`,
    `Fields: ${type.fields.map((field) => field.name).join(', ')}.`,
    { parameter },
  );
}

/** Names in a message. */
const maxListed = 10;

function listed(names: readonly string[]): string {
  const shown = names
    .slice(0, maxListed)
    .map((name) => truncate(name))
    .join(', ');
  return names.length > maxListed ? `${shown} and ${(names.length - maxListed).toLocaleString('en')} more` : shown;
}
