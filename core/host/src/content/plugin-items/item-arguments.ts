import { GantryError } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import type { Precondition } from '../write/precondition';

/** An object of names and values; a Map, a Date or a list has other contents than its members. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** The values of an item to write. @throws GantryError BAD_REQUEST */
export function readValues(type: ItemTypeDescriptor, values: unknown): Readonly<Record<string, unknown>> {
  if (isPlainObject(values)) return values;
  throw refused(type, 'the values must be an object from field to value, such as { code: "A-1" }');
}

/** Options, of which none is ignored. @throws GantryError BAD_REQUEST */
export function readOptions(
  type: ItemTypeDescriptor,
  options: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (options === undefined) return {};
  if (!isPlainObject(options)) throw refused(type, `the options must be an object with ${known.join(', ')}`);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return options;
  throw refused(type, `unknown option ${truncate(unknown)}; known are ${known.join(', ')}`);
}

/** @throws GantryError BAD_REQUEST */
export function readPrecondition(type: ItemTypeDescriptor, options: unknown): Precondition {
  const { expectedVersion } = readOptions(type, options, ['expectedVersion']);
  if (expectedVersion === undefined) return {};
  if (typeof expectedVersion === 'number' && Number.isSafeInteger(expectedVersion) && expectedVersion > 0) {
    return { expected: [String(expectedVersion)] };
  }
  throw refused(type, 'expectedVersion must be the version of an item, a whole number from 1');
}

/** The fields `by` which an item is known. @throws GantryError BAD_REQUEST */
export function readKey(type: ItemTypeDescriptor, key: unknown): readonly string[] {
  const { by } = readOptions(type, key, ['by']);
  if (Array.isArray(by) && by.every((name): name is string => typeof name === 'string')) return by;
  throw refused(type, 'the key must name fields, such as { by: ["code"] }');
}

/** @throws GantryError BAD_REQUEST */
export function readLockNames(names: readonly unknown[]): readonly string[] {
  if (names.length > 0 && names.every((name): name is string => typeof name === 'string' && name !== '')) return names;
  throw new GantryError('BAD_REQUEST', 'tryLock requires the names of the locks, as texts that are not empty.');
}

function refused(type: ItemTypeDescriptor, problem: string): GantryError {
  return new GantryError('BAD_REQUEST', `Failed to use the items of ${type.displayName}: ${problem}.`);
}
