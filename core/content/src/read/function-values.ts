import { exactJson, numberText, parseWrittenJson } from '@gantry/core-common';
import {
  isMadeByFunction,
  type FieldDescriptor,
  type FunctionField,
  type ItemTypeDescriptor,
} from '../compile/descriptor';
import { unmadeValue } from '../sql/row-json';
import type { FunctionFailures } from './function-failures';

/** How code of plugins is run that makes values, and what counts and logs its failures. */
export interface FunctionRun {
  readonly enter: <T>(plugin: string, code: () => T) => T;
  readonly failures: Pick<FunctionFailures, 'record'>;
}

/** Completes the JSON of rows by the values that functions make. */
export type CompleteRows = (type: ItemTypeDescriptor, json: string) => string;

/** The position of a field, and the values that its function needs, as rows have them. */
type Unmade = readonly [position: number, values: Readonly<Record<string, unknown>>];

/**
 * The rows have what a function needs in the place of its value. What a function throws, and what is no value of its field, is null in the
 * row and a line in the log that names the plugin: the other values are answered in any case.
 */
export function createFunctionValues({ enter, failures: failed }: FunctionRun): CompleteRows {
  return (type, json) => {
    const parts = json.split(unmadeValue);
    if (parts.length === 1) return json;
    // Each second part is between two marks.
    const unmade = parseWrittenJson(`[${parts.filter((_part, index) => index % 2 === 1).join(',')}]`);
    const { texts, failures } = enter(type.plugin, () => valuesOf(type, unmade as readonly Unmade[]));
    for (const [name, { count, first }] of failures) {
      failed.record(
        { plugin: type.plugin, type: type.code, name },
        count,
        first,
        'a computed value failed: it is null',
      );
    }
    return parts.map((part, index) => (index % 2 === 1 ? texts[(index - 1) / 2] : part)).join('');
  };
}

interface Failures {
  readonly first: unknown;
  readonly count: number;
}

/** JSON of the values, in order. */
function valuesOf({ fields }: ItemTypeDescriptor, unmade: readonly Unmade[]) {
  const known = new Map(fields.map((field) => [field.name, field]));
  const failures = new Map<string, Failures>();
  const texts = unmade.map(([position, values]) => {
    const field = fields[position];
    if (field === undefined || !isMadeByFunction(field)) return 'null';
    try {
      return valueJson(field, field.computed.value(inputOf(field, known, values)));
    } catch (error) {
      const { first, count } = failures.get(field.name) ?? { first: error, count: 0 };
      failures.set(field.name, { first, count: count + 1 });
      return 'null';
    }
  });
  return { texts, failures };
}

/** The values as plugin code has them, frozen: the functions of all fields get their own. */
function inputOf(
  { computed }: FunctionField,
  known: ReadonlyMap<string, FieldDescriptor>,
  values: Unmade[1],
): Readonly<Record<string, unknown>> {
  const input = computed.from.map((name) => {
    const value = values[name] ?? null;
    return [name, value === null ? null : (known.get(name)?.kind.toModel(value) ?? null)] as const;
  });
  return Object.freeze(Object.fromEntries(input));
}

/** @throws Error that says why it is no value of the field */
function valueJson(field: FunctionField, given: unknown): string {
  if (given instanceof Promise) {
    given.catch(() => undefined);
    throw new Error('the function returned a promise; it must return the value synchronously');
  }
  if (given === null || given === undefined) return 'null';
  const { kind } = field;
  const value = kind.fromModel(given);
  if (value === '' && kind.isEmptyTextNone) return 'null';
  const read = kind.parse(value, field);
  if (!read.ok) {
    throw new Error(`the function returned a value that the field cannot have: ${field.name} ${read.message}`);
  }
  if (numberText(value) !== undefined) return String(read.value);
  return exactJson(typeof value === 'string' && typeof read.value === 'string' ? read.value : value);
}
