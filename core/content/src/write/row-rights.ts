import { GantryError } from '@gantry/plugin-api';
import type { DetailCode, ErrorDetail } from '@gantry/contracts';
import type { ItemTypeDescriptor, RowRule } from '../compile/descriptor';
import type { StoredValues } from '../kinds/field-kind';
import { metStatement } from '../sql/rows';
import { unknownFields } from './values/payload';
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

/** The conditions of a policy on items of the type; none where nothing depends on the item. */
export function conditionsOf({ rows, fields }: ItemTypeDescriptor): readonly string[] {
  if (rows === undefined) return [];
  const rules = [...(rows.create ?? []), ...(rows.update ?? [])].map(({ condition }) => condition);
  const shown = fields.map(({ shownOn }) => shownOn);
  return [...new Set([rows.read, rows.delete, ...rules, ...shown])].filter((condition) => condition !== undefined);
}

/**
 * @param met which of {@link conditionsOf} the item meets; undefined where there is no such item
 * @returns undefined where the policy has no conditions: nothing then depends on the item
 */
export function rightsBy(type: ItemTypeDescriptor, met: readonly boolean[] | undefined): RowRights | undefined {
  const { rows } = type;
  if (rows === undefined) return undefined;
  const conditions = conditionsOf(type);
  const shownOn = new Map(type.fields.map((field) => [field.name, field.shownOn]));
  const isMet = (condition: string | undefined): boolean =>
    met !== undefined && (condition === undefined || met[conditions.indexOf(condition)] === true);
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

/** The rights on an item, as {@link rightsBy} gives them. */
export async function rowRightsOf(
  type: ItemTypeDescriptor,
  id: string,
  run: RunInside,
): Promise<RowRights | undefined> {
  if (type.rows === undefined) return undefined;
  const [row] = await run<{ readonly met: readonly boolean[] }>(metStatement(type, conditionsOf(type)), [id]);
  return rightsBy(type, row?.met);
}

/** The SQL condition of what {@link assertRowWritten} lets pass. */
export function writtenCondition(
  { rows = {}, fields: declared }: ItemTypeDescriptor,
  action: 'create' | 'update',
  fields: readonly string[],
): string {
  const own = rows[action];
  const oneOf = (rules: readonly RowRule[] | undefined): readonly string[] =>
    rules === undefined ? [] : [rules.map(({ condition }) => `(${condition})`).join(' OR ') || 'false'];
  const needed = fields.flatMap((name) => [
    ...oneOf(own?.filter((rule) => rule.fields?.includes(name) !== false)),
    ...declared.flatMap((field) => (field.name === name && field.shownOn !== undefined ? field.shownOn : [])),
  ]);
  const all = new Set([...(rows.read === undefined ? [] : [rows.read]), ...oneOf(own), ...needed]);
  return [...all].map((condition) => `coalesce(${condition}, false)`).join(' AND ') || 'true';
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
