import { beginNow, readTogether, type InnerStatement } from '@gantry/core-database';
import { storedFields } from '../../compile/author-fields';
import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from '../../compile/descriptor';
import { attributeName } from '../../compile/link-models';
import type { StoredValues } from '../../kinds/field-kind';
import type { IdentifiedRow, ReadRow } from '../../read/item-repository';
import { insertAllStatement, nextIdsStatement } from '../../sql/bulk-statements';
import { columnValue } from '../../sql/statements';
import { attributesOf } from '../values/item-changes';
import { isPlainModel } from '../plain-model';
import { selfReferences } from '../reference-check';
import { withAuthor } from '../../policy/change-origin';
import { validationFailed } from '../write-problems';
import { linking } from './row-links';
import { afterWrite, beforeWrite } from './run-hooks';
import { settleRows } from './settle-rows';
import type { WriteSession } from '../write-transaction';

/** A new item. */
export interface NewRow {
  readonly values: StoredValues;
  /** Names of the fields that the caller sets: a policy decides on each. */
  readonly set: readonly string[];
  /** The next one unless given. */
  readonly id?: string | undefined;
  /** Of an item that was there before. */
  readonly earlier?: EarlierItem;
}

export interface EarlierItem {
  readonly version: number;
  /** Now unless known. */
  readonly createdAt: Date | undefined;
  /** Fields that stay empty although the model asks for a value. */
  readonly empty: readonly FieldDescriptor[];
}

export interface CreateOptions {
  /** Whether rows whose unique values another item has are left out, which otherwise makes the write fail. */
  readonly skipTaken?: boolean;
  /** Gives how the one row is read back, with which the transaction ends. */
  readonly readBack?: (id: string) => ReadRow;
}

export interface CreatedRows {
  /** Undefined for those that were left out. */
  readonly ids: readonly (string | undefined)[];
  /** The one that was read back. */
  readonly row: IdentifiedRow | undefined;
}

/**
 * Creates items with their links: as arrays of columns where the model adds nothing, else each through its model, with hooks and
 * validators. What throws is to be undone as a whole.
 * @param rows values without problems, whose references were looked up
 * @throws GantryError VALIDATION_FAILED for one that refers to itself; FORBIDDEN
 */
export async function createRows(
  session: WriteSession,
  type: CompiledItemType,
  rows: readonly NewRow[],
  { skipTaken = false, readBack }: CreateOptions = {},
): Promise<CreatedRows> {
  const { descriptor, stored = descriptor } = type;
  const hooks = session.hooks?.of(descriptor.code);
  const decided = hooks === undefined ? rows : await beforeWrite(session, descriptor, 'create', rows, hooks);
  const signed = decided.map((row, index) => ({
    ...row,
    set: setFields(row, rows[index]?.values),
    values: withAuthor(session.scope, descriptor, 'create', row.values),
  }));
  const isPlain = isPlainModel(type) && rows.every(({ earlier }) => earlier === undefined);
  const { ids, inserting = [] } = isPlain
    ? await insertAll(session, type, signed, skipTaken)
    : { ids: await saveEach(session, type, signed) };
  const written = signed.flatMap((row, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ ...row, id, right: 'create' as const }];
  });
  for (const { id, values } of written) assertOthers(descriptor, id, values);
  const statements = [...inserting, ...linking(stored, written)];
  const [first] = written;
  const reading = first && readBack?.(first.id);
  const row = await settleRows(session, descriptor, written, statements, reading);
  if (hooks !== undefined) afterWrite(session, descriptor, 'create', written, hooks);
  return { ids, row };
}

/** Fields that the caller sets, and those that hooks of plugins have set. */
function setFields({ set, values }: NewRow, given: StoredValues = values): readonly string[] {
  if (values === given) return set;
  return [...new Set([...set, ...[...values.keys()].filter((name) => values.get(name) !== given.get(name))])];
}

/** The id of a new item may have been guessed. */
function assertOthers(type: ItemTypeDescriptor, id: string, values: StoredValues): void {
  const toItself = selfReferences(type, id, values);
  if (toItself.length > 0) throw validationFailed(type, 'create', toItself);
}

/** @returns what is still to be run, unless it had to be run to know which rows are left out */
async function insertAll(
  { transaction, query }: WriteSession,
  { descriptor, stored = descriptor }: CompiledItemType,
  rows: readonly NewRow[],
  skipTaken: boolean,
): Promise<Pick<CreatedRows, 'ids'> & { readonly inserting?: readonly InnerStatement[] }> {
  const ids = rows.every(({ id }) => id === undefined)
    ? await nextIds(transaction, stored, rows.length)
    : rows.flatMap(({ id }) => id ?? []);
  const arrays = storedFields(stored).map((field) => rows.map(({ values }) => columnValue(values.get(field.name))));
  const insert = { sql: insertAllStatement(stored, { skipTaken }), values: [ids, ...arrays] };
  if (!skipTaken) return { ids, inserting: [insert] };
  const written = new Set((await query<{ id: string }>(insert.sql, insert.values)).map(({ id }) => id));
  return { ids: ids.map((id) => (written.has(id) ? id : undefined)) };
}

async function nextIds(
  transaction: WriteSession['transaction'],
  type: ItemTypeDescriptor,
  count: number,
): Promise<readonly string[]> {
  const [found = []] = await readTogether(transaction, [nextIdsStatement(type, count)]);
  return (found as readonly { readonly id: string }[]).map(({ id }) => id);
}

async function saveEach(
  session: WriteSession,
  type: CompiledItemType,
  rows: readonly NewRow[],
): Promise<readonly string[]> {
  await beginNow(session.transaction);
  const ids: string[] = [];
  for (const row of rows) ids.push(await saveNew(session, type, row));
  return ids;
}

async function saveNew(
  { transaction }: WriteSession,
  { descriptor, stored = descriptor, model }: CompiledItemType,
  { values, id, earlier }: NewRow,
): Promise<string> {
  const item = model.build(attributesOf(stored, values));
  if (id !== undefined) item.setDataValue('id', id);
  if (earlier !== undefined) item.setDataValue('version', earlier.version);
  if (earlier?.createdAt !== undefined) item.setDataValue('createdAt', earlier.createdAt);
  const empty = new Set(earlier?.empty.map(attributeName));
  // The model would refuse to write that they are empty.
  const fields = Object.keys(model.getAttributes()).filter((name) => !empty.has(name));
  await item.save({ transaction, ...(empty.size === 0 ? {} : { fields }) });
  return item.id;
}
