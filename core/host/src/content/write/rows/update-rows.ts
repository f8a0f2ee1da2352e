import type { BaseItem } from '@gantry/plugin-api';
import { writtenFields } from '../../compile/author-fields';
import type { CompiledItemType, ItemTypeDescriptor } from '../../compile/descriptor';
import type { StoredValues } from '../../kinds/field-kind';
import { updateAllStatement } from '../../sql/bulk-statements';
import { attributesOf } from '../item-changes';
import { isPlainModel } from '../plain-model';
import { assertRowShown, assertRowWritable, assertRowWritten, rowRightsOf, type RowRights } from '../row-rights';
import { withAuthor } from '../with-author';
import { itemNotFound } from '../write-problems';
import { replaceLinks } from './row-links';
import type { WriteSession } from './write-session';

/** A change of one item: only the fields that really change. */
export interface RowChange {
  readonly id: string;
  readonly values: StoredValues;
  /** The right by which it is made: that to create, where it completes an item that the transaction has created. `none` asks no policy. */
  readonly right: 'create' | 'update' | 'none';
  /** The item, where it is loaded and locked already. */
  readonly item?: BaseItem;
  /** The rights on the item before the change, where they are known already. */
  readonly before?: RowRights | undefined;
  /** Only asks whether it may be made. */
  readonly isDryRun?: true | undefined;
}

/**
 * Changes items with their links, as their next versions: as arrays of columns where the model adds nothing, else each through its model,
 * with hooks and validators. What throws is to be undone as a whole.
 * @throws GantryError ITEM_NOT_FOUND, FORBIDDEN
 */
export async function updateRows(
  session: WriteSession,
  type: CompiledItemType,
  changes: readonly RowChange[],
): Promise<void> {
  const { descriptor } = type;
  const hasConditions = descriptor.rows !== undefined;
  for (const change of hasConditions ? changes : []) await assertBefore(session, descriptor, change);
  const made = changes.filter(({ isDryRun }) => isDryRun !== true);
  const signed = made.map((change) => ({
    ...change,
    values: withAuthor(session.scope, descriptor, 'update', change.values),
  }));
  if (isPlainModel(type, 'update')) {
    for (const group of groupsOf(signed)) await updateAll(session, descriptor, group);
    await replaceLinks(session, descriptor, signed);
  } else for (const change of signed) await save(session, type, change);
  for (const change of hasConditions ? made : []) await assertAfter(session, descriptor, change);
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

async function assertAfter(
  { query }: WriteSession,
  type: ItemTypeDescriptor,
  { id, values, right }: RowChange,
): Promise<void> {
  if (right === 'none') return;
  assertRowWritten(type, await rowRightsOf(type, id, query), right, changedNames(type, values));
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

async function updateAll(
  { query }: WriteSession,
  type: ItemTypeDescriptor,
  group: readonly RowChange[],
): Promise<void> {
  const stored = writtenFields(type).filter(({ name, column }) => column !== '' && group[0]?.values.has(name));
  const arrays = stored.map((field) => group.map(({ values }) => values.get(field.name) ?? null));
  await query(updateAllStatement(type, stored), [group.map(({ id }) => id), ...arrays]);
}

async function save(
  session: WriteSession,
  { descriptor, model }: CompiledItemType,
  { id, values, item: loaded }: RowChange,
): Promise<void> {
  const { transaction } = session;
  const item = loaded ?? (await model.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE }));
  if (item === null) throw itemNotFound(descriptor, id);
  item.set(attributesOf(descriptor, values));
  // A change of links alone is a change of the item too: it must raise the version.
  item.changed('updatedAt', true);
  await item.save({ transaction });
  await replaceLinks(session, descriptor, [{ id, values }]);
}
