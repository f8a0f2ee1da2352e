import { GantryError } from '@gantry/plugin-api';
import type { DetailCode, ErrorDetail } from '@gantry/contracts';
import type { ItemTypeDescriptor, RowRule } from '../compile/descriptor';
import type { StoredValues } from '../kinds/field-kind';
import { metStatement } from '../sql/rows';
import { unknownFields } from './payload';
import { itemNotFound } from './write-problems';

/** Runs a statement in the transaction of the write. */
type RunInside = <R extends object>(sql: string, values: readonly unknown[]) => Promise<readonly R[]>;

/** The rights that a policy with conditions gives on one item, as it is at that moment of the transaction. */
export interface RowRights {
  readonly isShown: boolean;
  shows(field: string): boolean;
  /** Of the fields that are set those that may not be, or `item` where the item may not be written at all. */
  refused(action: 'create' | 'update', fields: readonly string[]): readonly string[] | 'item';
  readonly mayDelete: boolean;
}

/** @returns undefined where the policy has no conditions: nothing then depends on the item */
export async function rowRightsOf(
  type: ItemTypeDescriptor,
  id: string,
  run: RunInside,
): Promise<RowRights | undefined> {
  const { rows } = type;
  if (rows === undefined) return undefined;
  const shownOn = new Map(type.fields.map((field) => [field.name, field.shownOn]));
  const rules = [...(rows.create ?? []), ...(rows.update ?? [])].map(({ condition }) => condition);
  const conditions = [...new Set([rows.read, rows.delete, ...rules, ...shownOn.values()])].filter(
    (condition) => condition !== undefined,
  );
  const [row] = await run<{ readonly met: readonly boolean[] }>(metStatement(type, conditions), [id]);
  const isMet = (condition: string | undefined): boolean =>
    row !== undefined && (condition === undefined || row.met[conditions.indexOf(condition)] === true);
  const isAllowed = (rule: RowRule, field: string): boolean =>
    isMet(rule.condition) && (rule.fields === undefined || rule.fields.includes(field));
  return {
    isShown: isMet(rows.read),
    shows: (field) => isMet(shownOn.get(field)),
    refused(action, fields) {
      const own = rows[action];
      if (own === undefined) return [];
      if (!own.some(({ condition }) => isMet(condition))) return 'item';
      return fields.filter((field) => !own.some((rule) => isAllowed(rule, field)));
    },
    mayDelete: isMet(rows.delete),
  };
}

/** Of the sent values those of fields that are not shown on the item, as problems: they are as good as unknown. */
export function hiddenOnRow(
  type: ItemTypeDescriptor,
  rights: RowRights | undefined,
  values: StoredValues,
): readonly ErrorDetail[] {
  if (rights === undefined) return [];
  return unknownFields(
    type,
    [...values.keys()].filter((name) => !rights.shows(name)),
  );
}

/** @throws GantryError FORBIDDEN */
export function assertRowWritable(
  type: ItemTypeDescriptor,
  rights: RowRights | undefined,
  fields: readonly string[],
): void {
  const refused = rights?.refused('update', fields) ?? [];
  if (refused === 'item') throw new GantryError('FORBIDDEN', `You have no right to change this ${type.displayName}.`);
  if (refused.length > 0) throw fieldsRefused(refused, (names) => `change ${names} of this ${type.displayName}`);
}

/** The error that names each of the fields. @param action what is refused, in the words of a sentence */
function fieldsRefused(fields: readonly string[], action: (names: string) => string): GantryError {
  return new GantryError('FORBIDDEN', `You have no right to ${action(fields.join(', '))}.`, {
    details: fields.map((path) => ({
      path,
      code: 'FORBIDDEN' satisfies DetailCode,
      message: `You have no right to ${action(path)}`,
    })),
  });
}

/** @throws GantryError ITEM_NOT_FOUND for an item that is not shown */
export function assertRowShown(type: ItemTypeDescriptor, rights: RowRights | undefined, id: string): void {
  if (rights !== undefined && !rights.isShown) throw itemNotFound(type, id);
}

/** @throws GantryError ITEM_NOT_FOUND, FORBIDDEN */
export function assertRowDeletable(type: ItemTypeDescriptor, rights: RowRights | undefined, id: string): void {
  assertRowShown(type, rights, id);
  if (rights?.mayDelete === false) {
    throw new GantryError('FORBIDDEN', `You have no right to delete this ${type.displayName}.`);
  }
}

/**
 * Refuses a write after which the item is not one that the policy lets be written and shows, or whose fields it does not show.
 * @throws GantryError FORBIDDEN
 */
export function assertRowWritten(
  type: ItemTypeDescriptor,
  rights: RowRights | undefined,
  action: 'create' | 'update',
  fields: readonly string[],
): void {
  if (rights === undefined) return;
  const refused = rights.isShown ? rights.refused(action, fields) : 'item';
  if (refused !== 'item') {
    const named = fields.filter((field) => refused.includes(field) || !rights.shows(field));
    if (named.length === 0) return;
    throw fieldsRefused(named, (names) => `set ${names} of ${type.displayName} with these values`);
  }
  throw new GantryError(
    'FORBIDDEN',
    `You have no right to ${action} ${type.displayName} with these values: your roles are about other items.`,
  );
}
