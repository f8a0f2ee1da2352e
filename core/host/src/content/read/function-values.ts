import { describeError } from '@gantry/core-common';
import type { Logger } from '@gantry/plugin-api';
import { exactJson, numberText, parseWrittenJson } from '../../common/json';
import { onceFor } from '../../common/once-for';
import {
  isMadeByFunction,
  type FieldDescriptor,
  type FunctionField,
  type ItemTypeDescriptor,
} from '../compile/descriptor';
import { unmadeValue } from '../sql/row-json';

/** How code of plugins is run that makes values, and where it is said that it failed. */
export interface FunctionRun {
  readonly enter: <T>(plugin: string, code: () => T) => T;
  readonly logger: Pick<Logger, 'error'>;
  /** Milliseconds; the clock of the system unless given. */
  readonly now?: () => number;
}

/** Completes the JSON of rows by the values that functions make. */
export type CompleteRows = (type: ItemTypeDescriptor, json: string) => string;

interface Row {
  readonly values: Readonly<Record<string, unknown>>;
}

/** Milliseconds between two lines of the log about the same field: a list may have a thousand items of which it cannot be made. */
const logIntervalMs = 60_000;

/**
 * The rows have a placeholder where a value is to be made. What a function throws, and what is no value of its field, is null in the
 * row and a line in the log that names the plugin: the other values are answered in any case.
 */
export function createFunctionValues({ enter, logger, now = Date.now }: FunctionRun): CompleteRows {
  const logged = new Map<string, number>();
  const report = ({ plugin, code }: ItemTypeDescriptor, failures: ReadonlyMap<string, Failures>): void => {
    for (const [field, { count, first }] of failures) {
      const name = `${code}.${field}`;
      if (now() - (logged.get(name) ?? -Infinity) < logIntervalMs) continue;
      logged.set(name, now());
      logger.error({ plugin, field: name, items: count, reason: describeError(first) }, 'a computed value failed');
    }
  };
  return (type, json) => {
    const fields = functionFields(type);
    if (fields.length === 0) return json;
    const parts = json.split(unmadeValue);
    if (parts.length === 1) return json;
    const rows = [parseWrittenJson(parts.join('null'))].flat() as readonly Row[];
    const { texts, failures } = enter(type.plugin, () => valuesOf(type, fields, rows));
    report(type, failures);
    return parts.map((part, index) => part + (texts[index] ?? '')).join('');
  };
}

const functionFields = onceFor(({ fields }: ItemTypeDescriptor): readonly FunctionField[] =>
  fields.filter(isMadeByFunction),
);

interface Failures {
  readonly first: unknown;
  readonly count: number;
}

/** JSON of the values in the order of their placeholders: of the first row, then of the second one. */
function valuesOf(type: ItemTypeDescriptor, fields: readonly FunctionField[], rows: readonly Row[]) {
  const known = new Map(type.fields.map((field) => [field.name, field]));
  const failures = new Map<string, Failures>();
  const texts = rows.flatMap(({ values }) =>
    // A field may be shown on some items only.
    fields
      .filter(({ name }) => Object.hasOwn(values, name))
      .map((field) => {
        try {
          return valueJson(field, field.computed.value(inputOf(field, known, values)));
        } catch (error) {
          const { first, count } = failures.get(field.name) ?? { first: error, count: 0 };
          failures.set(field.name, { first, count: count + 1 });
          return 'null';
        }
      }),
  );
  return { texts, failures };
}

/** The values as plugin code has them, frozen: the functions of all fields get their own. */
function inputOf(
  { computed }: FunctionField,
  known: ReadonlyMap<string, FieldDescriptor>,
  values: Row['values'],
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
    throw new Error('the function gave a promise; it must give the value at once');
  }
  if (given === null || given === undefined) return 'null';
  const { kind } = field;
  const value = kind.fromModel(given);
  if (value === '' && kind.isEmptyTextNone) return 'null';
  const read = kind.parse(value, field);
  if (!read.ok) throw new Error(`the function gave what is no value of the field: ${field.name} ${read.message}`);
  if (numberText(value) !== undefined) return String(read.value);
  return exactJson(typeof value === 'string' && typeof read.value === 'string' ? read.value : value);
}
