import { GantryError } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import type { Precondition } from '../write/precondition';
import { parseConfirmation, type Confirmation, type RemoveOptions } from '../write/remove/confirmation';

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
  return preconditionOf(type, readOptions(type, options, ['expectedVersion']));
}

/** The precondition and the confirmed effects of a deletion. @throws GantryError BAD_REQUEST */
export function readRemoveOptions(type: ItemTypeDescriptor, options: unknown): RemoveOptions {
  const { confirm, ...others } = readOptions(type, options, ['expectedVersion', 'confirm']);
  return { ...preconditionOf(type, others), confirmed: confirmationOf(type, confirm) };
}

/** The same for several items. @throws GantryError BAD_REQUEST */
export function readConfirmed(type: ItemTypeDescriptor, options: unknown): Confirmation | undefined {
  const { confirm = false } = readOptions(type, options, ['confirm']);
  // Numbers would be those of one of the items.
  if (typeof confirm === 'boolean') return confirmationOf(type, confirm);
  throw refused(type, 'confirm must be true or false, as several items may be removed');
}

function confirmationOf(type: ItemTypeDescriptor, confirm: unknown): Confirmation | undefined {
  if (confirm === undefined || confirm === false) return undefined;
  if (confirm === true) return 'all';
  if (typeof confirm === 'string') return parseConfirmation(confirm);
  throw refused(type, 'confirm must be true, or the text in confirm of the refused deletion');
}

function preconditionOf(
  type: ItemTypeDescriptor,
  { expectedVersion }: Readonly<Record<string, unknown>>,
): Precondition {
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
