import type { BaseItem } from '@gantry/plugin-api';
import type { ModelAttributeColumnOptions } from 'sequelize';
import { readTogether } from '@gantry/core-database';
import {
  type CompiledItemType,
  type FieldDescriptor,
  type ItemTypeDescriptor,
  isLinked,
} from '../../compile/descriptor';
import type { StoredValue, StoredValues } from '../../kinds/field-kind';
import { currentValuesStatement, lockStatement, stateStatement } from '../../sql/bulk-statements';
import { isPlainModel } from '../plain-model';
import { assertRowShown, conditionsOf, rightsBy, type RowRights } from '../row-rights';
import { itemNotFound } from '../write-problems';
import type { WriteSession } from '../write-transaction';

/** An item that is to be changed, as it is at that moment of the transaction. */
export interface LoadedRow {
  readonly version: number;
  /** Undefined where the policy has no conditions. */
  readonly rights: RowRights | undefined;
  /** Also of fields that the policy does not show on the item. */
  readonly current: StoredValues;
  /** For a model that adds something to a change. */
  readonly item: BaseItem | undefined;
  /** The rows of the statement that was run with it. */
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Locks an item and then reads it, in one round trip. An item that the policy hides is not locked, and the statements are the same as for an
 * id that does not exist, so that time shows no difference.
 * @param names the fields whose values are needed
 * @param alongside a further statement
 * @throws GantryError ITEM_NOT_FOUND
 */
export async function loadRow(
  { transaction }: WriteSession,
  type: CompiledItemType,
  id: string,
  names: ReadonlySet<string>,
  alongside?: string,
): Promise<LoadedRow> {
  const { descriptor } = type;
  const fields = descriptor.fields.filter(({ name }) => names.has(name));
  const attributes = isPlainModel(type, 'update') ? [] : storedAttributes(type);
  const parts = { fields, conditions: conditionsOf(descriptor), columns: attributes.map(({ column }) => column) };
  // A separate statement: one that waits for a lock sees links and other items as they were when it began.
  const [locked, [row] = [], rows = []] = await readTogether(transaction, [
    lockStatement(descriptor, id),
    stateStatement(descriptor, id, parts),
    ...(alongside === undefined ? [] : [alongside]),
  ]);
  if (locked?.length !== 1 || row === undefined) throw itemNotFound(descriptor, id);
  const state = row as { readonly version: number; readonly met: readonly boolean[] } & Record<string, StoredValue>;
  const rights = rightsBy(descriptor, state.met);
  assertRowShown(descriptor, rights, id);
  return {
    version: state.version,
    rights,
    current: valuesIn(state, fields),
    item: attributes.length === 0 ? undefined : builtItem(type, attributes, state),
    rows: rows.map((one): readonly unknown[] => Object.values(one)),
  };
}

interface StoredAttribute {
  readonly name: string;
  readonly column: string;
}

function storedAttributes({ model }: CompiledItemType): readonly StoredAttribute[] {
  const attributes: Readonly<Record<string, ModelAttributeColumnOptions>> = model.getAttributes();
  return Object.entries(attributes).flatMap(([name, { type, field = name }]) =>
    (type as { readonly key?: string }).key === 'VIRTUAL' ? [] : [{ name, column: field }],
  );
}

function builtItem(
  { model }: CompiledItemType,
  attributes: readonly StoredAttribute[],
  state: Readonly<Record<string, unknown>>,
): BaseItem {
  const values = Object.fromEntries(attributes.map(({ name }, index) => [name, state[`c${index}`]]));
  return model.build(values, { isNewRecord: false, raw: true });
}

/** The values that an item has in these fields, also where a policy does not show them; none where it does not show the item. */
export function currentValues(
  session: WriteSession,
  type: ItemTypeDescriptor,
  id: string,
  names: ReadonlySet<string>,
): Promise<StoredValues> {
  const fields = type.fields.filter(({ name }) => names.has(name));
  return valuesOf(session, type, id, fields.map(onAllItems));
}

/** The values that the policy shows on the item. */
export function shownValues(session: WriteSession, type: ItemTypeDescriptor, id: string): Promise<StoredValues> {
  const stored = type.fields.filter((field) => field.column !== '' || isLinked(field));
  return valuesOf(session, type, id, stored);
}

async function valuesOf(
  { query }: WriteSession,
  type: ItemTypeDescriptor,
  id: string,
  fields: readonly FieldDescriptor[],
): Promise<StoredValues> {
  if (fields.length === 0) return new Map();
  const [row = {}] = await query<Readonly<Record<string, StoredValue>>>(currentValuesStatement(type, fields), [[id]]);
  return valuesIn(row, fields);
}

/** The values of fields in a row that has them as `f<position>`. */
function valuesIn(row: Readonly<Record<string, StoredValue>>, fields: readonly FieldDescriptor[]): StoredValues {
  return new Map(fields.map((field, index) => [field.name, row[`f${index}`] ?? (isLinked(field) ? [] : null)]));
}

function onAllItems({ shownOn: _shownOn, ...field }: FieldDescriptor): FieldDescriptor {
  return field;
}
