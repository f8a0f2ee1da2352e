import type { ErrorDetail } from '@gantry/contracts';
import {
  compareDecimals,
  isJsonObject,
  numberText,
  parseDecimal,
  parseWrittenJson,
  type JsonObject,
} from '@gantry/core-common';
import { isLinked, isMadeByFunction, type FieldDescriptor, type ItemTypeDescriptor } from '../../compile/descriptor';
import type { Parsed } from '../../kinds/field-kind';
import { storedJsonStatement } from '../../sql/bulk-statements';

/** A change of an item, and what is wrong with its values. */
export interface SentChange {
  readonly id: string;
  readonly payload: JsonObject;
  readonly problems: readonly ErrorDetail[];
}

type RunRows = <R extends object>(sql: string, values: readonly unknown[]) => Promise<readonly R[]>;

interface StoredRow {
  readonly id: string;
  /** By position of the field. */
  readonly json: readonly (string | null)[];
  readonly text: readonly (string | null)[];
}

/**
 * The changes without the values that their items have already: a value that a rule of today refuses was accepted before, and to send
 * it again changes nothing.
 * @param isShown whether the policy shows the field on all of the items; what it hides counts as another value
 */
export async function withoutUnchanged<T extends SentChange>(
  type: ItemTypeDescriptor,
  changes: readonly T[],
  isShown: (field: FieldDescriptor) => boolean,
  run: RunRows,
): Promise<readonly T[]> {
  const refused = new Map(changes.map((change) => [change, refusedFields(type, change).filter(isShown)]));
  const fields = [...new Set([...refused.values()].flat())];
  if (fields.length === 0) return changes;
  const ids = changes.flatMap((change) => ((refused.get(change) ?? []).length > 0 ? [change.id] : []));
  const rows = await run<StoredRow>(storedJsonStatement(type, fields), [ids]);
  const stored = new Map(rows.map((row) => [row.id, row]));
  return changes.map((change) => {
    const row = stored.get(change.id);
    const same = (refused.get(change) ?? []).filter((field) => {
      const position = fields.indexOf(field);
      return row !== undefined && isStored(field, change.payload[field.name], row.json[position], row.text[position]);
    });
    return same.length === 0 ? change : without(change, new Set(same.map(({ name }) => name)));
  });
}

/** The fields that a problem is about, whose values could be those of the item. */
function refusedFields({ fields }: ItemTypeDescriptor, { payload, problems }: SentChange): readonly FieldDescriptor[] {
  const names = new Set(problems.map(({ path }) => fieldOf(path)));
  return fields.filter(
    (field) =>
      names.has(field.name) &&
      Object.hasOwn(payload, field.name) &&
      field.computed === undefined &&
      !isMadeByFunction(field),
  );
}

/** The path of a problem may lead into the value, as `links[2].url`. */
function fieldOf(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

function without<T extends SentChange>(change: T, names: ReadonlySet<string>): T {
  return {
    ...change,
    payload: Object.fromEntries(Object.entries(change.payload).filter(([name]) => !names.has(name))),
    problems: change.problems.filter(({ path }) => !names.has(fieldOf(path))),
  };
}

function isStored(field: FieldDescriptor, sent: unknown, json?: string | null, text?: string | null): boolean {
  const isNone = sent === null || sent === undefined || (sent === '' && field.kind.isEmptyTextNone);
  if (json === null || json === undefined) return isNone;
  const stored = parseWrittenJson(json);
  if (isNone) return isLinked(field) && Array.isArray(stored) && stored.length === 0;
  if (isSameJson(sent, stored)) return true;
  const parsed = parseLeniently(field, sent);
  if (!parsed.ok || parsed.value === null || text === null || text === undefined || isLinked(field)) return false;
  return parsed.value === text || field.kind.isSame(parsed.value, text);
}

/** Reads a value without the limits that the declaration sets, which may be newer than the value. */
export function parseLeniently(field: FieldDescriptor, sent: unknown): Parsed {
  const { min: _min, max: _max, maxLength: _length, pattern: _pattern, ...typed } = field;
  const { precision: _precision, scale: _scale, options: known, ...rest } = typed;
  const options = known === undefined ? {} : { options: [sent].flat().map(String) };
  return field.kind.parse(sent, { ...rest, ...options, required: false });
}

function isSameJson(left: unknown, right: unknown): boolean {
  const [first, second] = [numberText(left), numberText(right)];
  if (first !== undefined && second !== undefined) return isSameNumber(first, second);
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((entry, index) => isSameJson(entry, right[index]));
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const names = Object.keys(left);
    const isMember = (name: string): boolean => Object.hasOwn(right, name) && isSameJson(left[name], right[name]);
    return names.length === Object.keys(right).length && names.every(isMember);
  }
  return left === right;
}

function isSameNumber(left: string, right: string): boolean {
  const [first, second] = [parseDecimal(left), parseDecimal(right)];
  return first === undefined || second === undefined ? left === right : compareDecimals(first, second) === 0;
}
