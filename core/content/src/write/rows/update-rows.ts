import type { BaseItem } from '@gantry/plugin-api';
import type { InnerStatement } from '@gantry/core-database';
import { writtenFields } from '../../compile/author-fields';
import type { CompiledItemType, ItemTypeDescriptor } from '../../compile/descriptor';
import type { StoredValues } from '../../kinds/field-kind';
import type { IdentifiedRow, ReadRow } from '../../read/item-repository';
import { updateAllStatement } from '../../sql/bulk-statements';
import { columnValue } from '../../sql/statements';
import { attributesOf } from '../values/item-changes';
import { isPlainModel } from '../plain-model';
import { assertRowShown, assertRowWritable, rowRightsOf, type RowRights } from '../row-rights';
import { withAuthor } from '../../policy/change-origin';
import { itemNotFound } from '../write-problems';
import { relinking } from './row-links';
import { afterWrite, beforeWrite } from './run-hooks';
import { settleRows, type SettledRow } from './settle-rows';
import type { WriteSession } from '../write-transaction';

/** A change of one item: only the fields that really change. */
export interface RowChange {
  readonly id: string;
  readonly values: StoredValues;
  /** The right by which it is made: that to create, where it completes an item that the transaction has created. `none` asks no policy. */
  readonly right: SettledRow['right'];
  /** The item, where it is loaded and locked already. */
  readonly item?: BaseItem | undefined;
  /** The rights on the item before the change, where they are known already. */
  readonly before?: RowRights | undefined;
}

/**
 * Changes items with their links, as their next versions: as arrays of columns where the model adds nothing, else each through its model,
 * with hooks and validators. What throws is to be undone as a whole.
 * @param readBack how an item is read back, with which the transaction ends
 * @throws GantryError ITEM_NOT_FOUND, FORBIDDEN
 */
export async function updateRows(
  session: WriteSession,
  type: CompiledItemType,
  given: readonly RowChange[],
  readBack?: ReadRow,
): Promise<IdentifiedRow | undefined> {
  const { descriptor } = type;
  const hooks = session.hooks?.of(descriptor.code);
  // A deletion changes other items by all of their type.
  const seen = session.scope.policy.types.find(descriptor.code)?.descriptor ?? descriptor;
  const changes = hooks === undefined ? given : await beforeWrite(session, seen, 'update', given, hooks);
  for (const change of descriptor.rows === undefined ? [] : changes) await assertBefore(session, descriptor, change);
  const signed = changes.map((change) => ({
    ...change,
    values: withAuthor(session.scope, descriptor, 'update', change.values),
  }));
  const isPlain = isPlainModel(type, 'update');
  for (const change of isPlain ? [] : signed) await save(session, type, change);
  const updating = isPlain ? [...groupsOf(signed)].map((group) => updateAll(descriptor, group)) : [];
  const statements = [...updating, ...relinking(descriptor, signed)];
  const written = changes.map(({ id, right, values }) => ({ id, right, set: changedNames(descriptor, values) }));
  const row = await settleRows(session, descriptor, written, statements, readBack);
  if (hooks !== undefined) afterWrite(session, seen, 'update', changes, hooks);
  return row;
}

async function assertBefore(
  { query }: WriteSession,
  type: ItemTypeDescriptor,
  { id, values, right, before }: RowChange,
): Promise<void> {
  if (right === 'none') return;
  const rights = before ?? (await rowRightsOf(type, id, query));
  assertRowShown(type, rights, id);
  if (right === 'update') assertRowWritable(type, rights, changedNames(type, values));
}

function changedNames({ fields }: ItemTypeDescriptor, values: StoredValues): readonly string[] {
  return fields.flatMap(({ name }) => (values.has(name) ? [name] : []));
}

/** Changes of the same fields together. */
function groupsOf(changes: readonly RowChange[]): Iterable<readonly RowChange[]> {
  const groups = new Map<string, RowChange[]>();
  for (const change of changes) {
    const key = [...change.values.keys()].join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return groups.values();
}

function updateAll(type: ItemTypeDescriptor, group: readonly RowChange[]): InnerStatement {
  const stored = writtenFields(type).filter(({ name, column }) => column !== '' && group[0]?.values.has(name));
  const arrays = stored.map((field) => group.map(({ values }) => columnValue(values.get(field.name))));
  return { sql: updateAllStatement(type, stored), values: [group.map(({ id }) => id), ...arrays] };
}

async function save(
  { transaction }: WriteSession,
  { descriptor, model }: CompiledItemType,
  { id, values, item: loaded }: RowChange,
): Promise<void> {
  const item = loaded ?? (await model.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE }));
  if (item === null) throw itemNotFound(descriptor, id);
  item.set(attributesOf(descriptor, values));
  // A change of links alone is a change of the item too: it must raise the version.
  item.changed('updatedAt', true);
  await item.save({ transaction });
}
