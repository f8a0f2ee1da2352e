import { type CompiledItemType, type FieldDescriptor, type ItemTypeDescriptor } from '../../compile/descriptor';
import { attributeName } from '../../compile/link-models';
import type { StoredValues } from '../../kinds/field-kind';
import { insertAllStatement, nextIdsStatement } from '../../sql/bulk-statements';
import { storedFields } from '../../sql/insert-statement';
import { attributesOf } from '../item-changes';
import { isPlainModel } from '../plain-model';
import { selfReferences } from '../reference-check';
import { assertRowWritten, rowRightsOf } from '../row-rights';
import { withAuthor } from '../with-author';
import { validationFailed } from '../write-problems';
import { addLinks } from './row-links';
import type { WriteSession } from './write-session';

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

/** Whether rows whose unique values another item has are left out, which otherwise makes the write fail. */
export interface CreateOptions {
  readonly skipTaken?: boolean;
}

/**
 * Creates items with their links: as arrays of columns where the model adds nothing, else each through its model, with hooks and
 * validators. What throws is to be undone as a whole.
 * @param rows values without problems, whose references were looked up
 * @returns their ids; undefined for those that were left out
 * @throws GantryError VALIDATION_FAILED for one that refers to itself; FORBIDDEN
 */
export async function createRows(
  session: WriteSession,
  type: CompiledItemType,
  rows: readonly NewRow[],
  options: CreateOptions = {},
): Promise<readonly (string | undefined)[]> {
  const { descriptor, stored = descriptor } = type;
  const signed = rows.map((row) => ({ ...row, values: withAuthor(session.scope, descriptor, 'create', row.values) }));
  const isPlain = isPlainModel(type) && rows.every(({ earlier }) => earlier === undefined);
  const ids = isPlain ? await insertAll(session, stored, signed, options) : await saveEach(session, type, signed);
  const written = signed.flatMap((row, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ ...row, id }];
  });
  for (const { id, values } of written) assertOthers(descriptor, id, values);
  await addLinks(session, stored, written);
  if (descriptor.rows === undefined) return ids;
  for (const { id, set } of written) {
    assertRowWritten(descriptor, await rowRightsOf(descriptor, id, session.query), 'create', set);
  }
  return ids;
}

/** The id of a new item may have been guessed. */
function assertOthers(type: ItemTypeDescriptor, id: string, values: StoredValues): void {
  const toItself = selfReferences(type, id, values);
  if (toItself.length > 0) throw validationFailed(type, 'create', toItself);
}

async function insertAll(
  { query }: WriteSession,
  stored: ItemTypeDescriptor,
  rows: readonly NewRow[],
  options: CreateOptions,
): Promise<readonly (string | undefined)[]> {
  const given = rows.flatMap(({ id }) => id ?? []);
  const ids =
    given.length > 0
      ? given
      : (await query<{ id: string }>(nextIdsStatement(stored), [rows.length])).map(({ id }) => id);
  const arrays = storedFields(stored).map((field) => rows.map(({ values }) => values.get(field.name) ?? null));
  const inserted = await query<{ id: string }>(insertAllStatement(stored, options), [ids, ...arrays]);
  const written = new Set(inserted.map(({ id }) => id));
  return ids.map((id) => (written.has(id) ? id : undefined));
}

async function saveEach(
  session: WriteSession,
  type: CompiledItemType,
  rows: readonly NewRow[],
): Promise<readonly string[]> {
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
