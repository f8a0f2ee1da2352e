import type { ErrorDetail } from '@gantry/contracts';
import type { ItemLink } from '@gantry/plugin-api';
import { literal, type RunQuery } from '@gantry/core-database';
import { onceFor } from '@gantry/core-common';
import { type FieldDescriptor, type ItemTypeDescriptor, hidesItems } from '../compile/descriptor';
import type { ItemTypes } from '../compile/item-types';
import type { StoredValue, StoredValues } from '../kinds/field-kind';
import { isOf } from '../kinds/links';
import { rowsOf } from '../sql/rows';
import type { LookedUp, WriteDependencies } from './write-dependencies';
import { validationFailed } from './write-problems';

/**
 * Refuses a write with its problems, of which references to items that do not exist are some.
 * @returns undefined where nothing has to be looked for
 * @throws GantryError VALIDATION_FAILED
 */
export function assertSound(
  dependencies: WriteDependencies,
  type: ItemTypeDescriptor,
  action: 'create' | 'update' | 'restore',
  values: StoredValues,
  problems: readonly ErrorDetail[],
): Promise<void> | undefined {
  // Where the database looks for the items, it does so when the item is written.
  const isLeftToDatabase =
    dependencies.isDryRun !== true && !mayMissItems(type, values, dependencies.scope.policy.types);
  return problems.length === 0 && isLeftToDatabase ? undefined : refuse(dependencies, type, action, values, problems);
}

async function refuse(
  dependencies: WriteDependencies,
  type: ItemTypeDescriptor,
  action: 'create' | 'update' | 'restore',
  values: StoredValues,
  problems: readonly ErrorDetail[],
): Promise<void> {
  const found = [...problems, ...(await missingItems(dependencies, type, values))];
  if (found.length > 0) throw validationFailed(type, action, found);
}

export async function missingItems(
  { scope, query, current, looked }: WriteDependencies,
  type: ItemTypeDescriptor,
  values: StoredValues,
): Promise<readonly ErrorDetail[]> {
  if (looked !== undefined) return looked(values, current);
  return missingReferences(type, values, { types: scope.policy.types, query, current });
}

/** A problem for every id among the values that no item of the target type has. */
export async function missingReferences(
  type: ItemTypeDescriptor,
  values: StoredValues,
  parts: { readonly types: ItemTypes; readonly query: RunQuery; readonly current?: StoredValues | undefined },
): Promise<readonly ErrorDetail[]> {
  const { sql, read } = lookForItems(type, values, parts.types, parts.current);
  return read(sql === undefined ? [] : await parts.query({ sql, values: [] }))(values, parts.current);
}

/** The look for items that values refer to. */
interface ItemLook {
  /** Without parameters, so that it can be run together with others; undefined where nothing is to be looked for. */
  readonly sql: string | undefined;
  /** Takes its rows. */
  read(rows: readonly (readonly unknown[])[]): LookedUp;
}

export function lookForItems(
  type: ItemTypeDescriptor,
  values: StoredValues,
  types: ItemTypes,
  current?: StoredValues,
): ItemLook {
  const checks = checksOf(type, values, types, current);
  const lookups = checks.map(
    ({ target, ids }, index) =>
      `SELECT ${index} AS number, u.id::text, u.position FROM unnest(${literal(`{${ids.join(',')}}`)}::bigint[]) WITH ORDINALITY AS u(id, position)` +
      ` WHERE NOT EXISTS (SELECT 1 FROM ${rowsOf(target)} t WHERE t.id = u.id)`,
  );
  return {
    sql: lookups.length === 0 ? undefined : `${lookups.join(' UNION ALL ')} ORDER BY number, position`,
    read(rows) {
      const keyOf = ({ field, code }: FoundReferences, id: string): string => `${field.name} ${code} ${id}`;
      const keys = rows.flatMap(([number, id]) =>
        checks.slice(Number(number), Number(number) + 1).map((check) => keyOf(check, String(id))),
      );
      const missing = new Set(keys);
      return (given, known) => [
        ...hiddenReferences(type, given, known),
        ...checksOf(type, given, types, known).flatMap((check) =>
          check.ids
            .filter((id) => missing.has(keyOf(check, id)))
            .map((id) => missingItem(check.field, check.target.displayName, id)),
        ),
      ];
    },
  };
}

function checksOf(type: ItemTypeDescriptor, values: StoredValues, types: ItemTypes, current?: StoredValues) {
  return type.fields
    .flatMap((field) => referencesOf(field, values.get(field.name), current?.get(field.name)))
    .flatMap((reference) => {
      const target = types.find(reference.code)?.descriptor;
      return target === undefined || reference.ids.length === 0 ? [] : [{ ...reference, target }];
    });
}

/** A problem for every reference to a type that a policy hides: its items are as good as none. */
function hiddenReferences(
  type: ItemTypeDescriptor,
  values: StoredValues,
  current?: StoredValues,
): readonly ErrorDetail[] {
  return type.fields.flatMap((field) =>
    referencesOf(field, values.get(field.name), current?.get(field.name)).flatMap(({ code, ids }) =>
      code === '' ? ids.map((id) => missingItem(field, 'an item', id)) : [],
    ),
  );
}

interface FoundReferences {
  readonly field: FieldDescriptor;
  /** Type code of the target; empty where a policy hides it. */
  readonly code: string;
  readonly ids: readonly string[];
}

/** Items that a value refers to, as a reference or by links within it. Without those of the current value, which may be hidden and stay. */
function referencesOf(
  field: FieldDescriptor,
  value: StoredValue | undefined,
  current?: StoredValue,
): readonly FoundReferences[] {
  const { reference } = field;
  if (reference !== undefined) {
    const known = new Set(idsOf(current));
    return [{ field, code: reference.target, ids: idsOf(value).filter((id) => !known.has(id)) }];
  }
  const known = new Set(linksIn(field, current).map(({ type, id }) => `${type} ${id}`));
  const links = linksIn(field, value).filter(({ type, id }) => !known.has(`${type} ${id}`));
  return (field.links?.targets ?? []).map((target) => ({
    field,
    code: target.isHidden === true ? '' : target.target,
    ids: links.flatMap(({ type, id }) => (isOf(target, type) && id !== undefined ? [id] : [])),
  }));
}

function linksIn(field: FieldDescriptor, value: StoredValue | undefined): readonly ItemLink[] {
  const { links, kind } = field;
  return links === undefined || value === undefined || value === null ? [] : (kind.links?.find(value, field) ?? []);
}

/** Whether a policy may hide an item that the values refer to, which the database would not refuse. */
export function mayMissItems(type: ItemTypeDescriptor, values: StoredValues, types: ItemTypes): boolean {
  return referringFields(type).some((field) =>
    referencesOf(field, values.get(field.name)).some(({ code, ids }) => {
      const target = types.find(code)?.descriptor;
      return ids.length > 0 && (code === '' || (target !== undefined && hidesItems(target)));
    }),
  );
}

const referringFields = onceFor(({ fields }: ItemTypeDescriptor) =>
  fields.filter(({ reference, links }) => reference !== undefined || links !== undefined),
);

/** An item cannot refer to itself: nothing could ever delete it, and a parent above itself has no meaning. */
export function selfReferences(type: ItemTypeDescriptor, id: string, values: StoredValues): readonly ErrorDetail[] {
  return type.fields
    .filter(
      (field) =>
        mayReferTo(field, type.code) &&
        referencesOf(field, values.get(field.name)).some(({ code, ids }) => code === type.code && ids.includes(id)),
    )
    .map((field) => ({
      path: field.name,
      code: 'SELF_REFERENCE',
      message: `${field.name} must not refer to the item itself`,
    }));
}

/** Whether values of the field can refer to items of that type. */
export function mayReferTo({ reference, links }: FieldDescriptor, code: string): boolean {
  return reference?.target === code || links?.targets.some(({ target }) => target === code) === true;
}

function idsOf(value: StoredValue | null | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

function missingItem(field: FieldDescriptor, target: string, id: string): ErrorDetail {
  return {
    path: field.name,
    code: 'REFERENCE_NOT_FOUND',
    message: `${field.name} refers to ${target} ${id}, which does not exist`,
  };
}
