import type { ErrorDetail } from '@gantry/contracts';
import {
  type BulkChange,
  type BulkTransaction,
  type FieldDescriptor,
  type ItemTypeDescriptor,
  changedValues,
  lockedFields,
  type StoredValue,
  type StoredValues,
  parsePayload,
  fieldsToCheck,
  missingAfterChange,
  selfReferences,
  parseLeniently,
  withoutUnchanged,
  currentValuesStatement,
  findByFieldsStatement,
  rowsOf,
} from '@gantry/core-content';
import { TransferError } from '../transfer-error';
import type { Draft } from './draft';
import type { ImportOptions } from './import-options';
import { idName } from './mapping';

/** By what items that are there already are found. */
export type Match = { readonly by: 'id' } | { readonly by: 'fields'; readonly fields: readonly FieldDescriptor[] };

/** The items of a batch by what the import does with them. */
export interface MatchedDrafts {
  readonly create: readonly Draft[];
  readonly change: readonly (BulkChange & { readonly draft: Draft })[];
  readonly unchanged: readonly { readonly draft: Draft; readonly id: string }[];
  /** They name an item that precedes them in the batch, and come next. */
  readonly later: readonly Draft[];
}

/**
 * Finds what `--match` means: the set of unique fields that has all the names.
 * @throws TransferError when there is none
 */
export function resolveMatch(type: ItemTypeDescriptor, names: readonly string[]): Match | undefined {
  if (names.length === 0) return undefined;
  if (names.length === 1 && names[0] === idName) return { by: 'id' };
  const sets = type.unique.filter((set) => names.every((name) => set.includes(name)));
  const [chosen] = sets.toSorted((left, right) => left.length - right.length);
  if (chosen === undefined) {
    const known = [...type.unique.map((set) => set.join(',')), idName].join(' | ');
    throw new TransferError(
      `Values of ${names.join(', ')} do not identify one ${type.displayName}.`,
      `Match by one of: ${known}.`,
      { parameter: 'match' },
    );
  }
  return { by: 'fields', fields: chosen.flatMap((name) => type.fields.filter((field) => field.name === name)) };
}

/** Fields of drafts that get their values when all items of the file are there. */
export type WaitingFields = ReadonlyMap<Draft, ReadonlySet<string>>;

/** Sorts a batch into new items and changes of items that are there. Problems go into the drafts. */
export async function matchDrafts(
  drafts: readonly Draft[],
  match: Match,
  transaction: BulkTransaction,
  { type, keepIds = false, waiting }: Pick<ImportOptions, 'type' | 'keepIds'> & { readonly waiting: WaitingFields },
): Promise<MatchedDrafts> {
  const { now, later } =
    match.by === 'id'
      ? firstOfEach(drafts.map(byId))
      : firstOfEach(drafts.map((draft) => byFields(draft, match.fields, type.descriptor)));
  const ids =
    match.by === 'id'
      ? await findIds(now, type.descriptor, transaction, keepIds)
      : await findKeys(now, match.fields, type.descriptor, transaction);
  const existing = now.flatMap(({ draft }, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ draft, id }];
  });
  const create = now.flatMap(({ draft }, index) =>
    ids[index] === undefined && draft.problems.length === 0 ? [draft] : [],
  );
  return { create, later, ...(await changesOf(existing, transaction, type.descriptor, waiting)) };
}

interface KeyedDraft {
  readonly draft: Draft;
  /** Undefined when the item can have no equal. */
  readonly key: string | undefined;
  readonly values: readonly StoredValue[];
}

/** Ids that new items may be given: as many follow that a JSON number holds exactly, so that the type gets new items. */
const maxGivenId = 2n ** 52n;

/** Adds problems where an item has no id in the file, or one that cannot be given, or another item of the batch has. */
export function assertIds(drafts: readonly Draft[]): void {
  const seen = new Set<string>();
  for (const draft of drafts) {
    assertId(draft);
    if (draft.id === undefined) continue;
    if (BigInt(draft.id) > maxGivenId) {
      const tooLarge = `${idName} must be at most ${maxGivenId}`;
      draft.problems.push({ path: idName, code: 'OUT_OF_RANGE', message: tooLarge });
    }
    const message = `another item of the file has the ${idName} ${draft.id}`;
    if (seen.has(draft.id)) draft.problems.push({ path: idName, code: 'NOT_UNIQUE', message });
    seen.add(draft.id);
  }
}

function assertId({ id, problems }: Draft): void {
  const isKnown = problems.some(({ path }) => path === idName);
  if (id === undefined && !isKnown) problems.push({ path: idName, code: 'REQUIRED', message: `${idName} is required` });
}

function byId(draft: Draft): KeyedDraft {
  assertId(draft);
  return { draft, key: draft.id, values: [draft.id ?? null] };
}

function byFields(draft: Draft, fields: readonly FieldDescriptor[], type: ItemTypeDescriptor): KeyedDraft {
  const { values, problems } = parsePayload(type, draft.payload, 'match');
  const names = new Set(fields.map(({ name }) => name));
  const earlier = new Map(fields.flatMap((field) => earlierValue(field, draft, problems)));
  // The creation of a new item reports a value that it cannot have.
  draft.problems.push(...problems.filter(({ path }) => names.has(path) && !earlier.has(path)));
  const key = fields.map(({ name }) => values.get(name) ?? earlier.get(name) ?? null);
  return { draft, key: key.includes(null) ? undefined : JSON.stringify(key), values: key };
}

/** The value of a key that a rule of today refuses, and an item may have. */
function earlierValue(
  field: FieldDescriptor,
  { payload }: Draft,
  problems: readonly ErrorDetail[],
): readonly (readonly [string, StoredValue])[] {
  if (!Object.hasOwn(payload, field.name) || !problems.some(({ path }) => path === field.name)) return [];
  const parsed = parseLeniently(field, payload[field.name]);
  return parsed.ok && parsed.value !== null ? [[field.name, parsed.value]] : [];
}

function firstOfEach(keyed: readonly KeyedDraft[]): {
  readonly now: readonly KeyedDraft[];
  readonly later: readonly Draft[];
} {
  const seen = new Set<string>();
  const now: KeyedDraft[] = [];
  const later: Draft[] = [];
  for (const entry of keyed.filter(({ draft }) => draft.problems.length === 0)) {
    if (entry.key !== undefined && seen.has(entry.key)) later.push(entry.draft);
    else now.push(entry);
    if (entry.key !== undefined) seen.add(entry.key);
  }
  return { now, later };
}

async function findIds(
  keyed: readonly KeyedDraft[],
  type: ItemTypeDescriptor,
  { query }: BulkTransaction,
  keepIds: boolean,
) {
  const sql = `SELECT id::text AS id FROM ${rowsOf(type)} t WHERE id = ANY($1::bigint[])`;
  const found = new Set((await query<{ id: string }>(sql, [keyed.map(({ draft }) => draft.id)])).map(({ id }) => id));
  return keyed.map(({ draft }) => {
    if (draft.id !== undefined && found.has(draft.id)) return draft.id;
    if (keepIds) return undefined;
    draft.problems.push({
      path: idName,
      code: 'ITEM_NOT_FOUND',
      message: `there is no ${type.displayName} ${draft.id ?? ''}`,
    });
    return undefined;
  });
}

async function findKeys(
  keyed: readonly KeyedDraft[],
  fields: readonly FieldDescriptor[],
  type: ItemTypeDescriptor,
  { query }: BulkTransaction,
) {
  const arrays = fields.map((_field, index) => keyed.map(({ values }) => values[index] ?? null));
  const rows = await query<{ position: number; id: string }>(findByFieldsStatement(type, fields), arrays);
  const found = new Map(rows.map(({ position, id }) => [position, id]));
  return keyed.map((_entry, index) => found.get(index));
}

async function changesOf(
  existing: readonly { readonly draft: Draft; readonly id: string }[],
  transaction: BulkTransaction,
  type: ItemTypeDescriptor,
  waitingFields: WaitingFields,
): Promise<Pick<MatchedDrafts, 'change' | 'unchanged'>> {
  const read = existing.map(({ draft, id }) => {
    const waiting = waitingFields.get(draft) ?? noFields;
    return { draft, id, waiting, payload: draft.payload, ...parsePayload(type, draft.payload, 'update') };
  });
  const isShown = ({ shownOn }: FieldDescriptor): boolean => shownOn === undefined;
  const sent = await withoutUnchanged(type, read, isShown, (sql, values) => transaction.query(sql, values));
  const current = await currentValues(type, sent, transaction);
  const change: MatchedDrafts['change'][number][] = [];
  const unchanged: MatchedDrafts['unchanged'][number][] = [];
  for (const { draft, id, values, problems, payload, waiting } of sent) {
    const changed = changedValues(type, values, current.get(id) ?? new Map());
    draft.problems.push(...problems, ...lockedFields(type, changed), ...selfReferences(type, id, changed));
    const given = { current: current.get(id) ?? new Map(), values: changed, problems, payload, waiting };
    draft.problems.push(...missingAfterChange(type, shownEverywhere(type), given));
    draft.problems.push(...draft.problemsOfChange.filter(({ path }) => changed.has(path)));
    if (draft.problems.length > 0) continue;
    if (changed.size === 0) unchanged.push({ draft, id });
    else change.push({ draft, id, values: changed });
  }
  return { change, unchanged };
}

const noFields: ReadonlySet<string> = new Set();

/** A field that is shown on some items only has no value on others. */
function shownEverywhere({ fields }: ItemTypeDescriptor) {
  return { shows: (name: string) => fields.some((field) => field.name === name && field.shownOn === undefined) };
}

async function currentValues(
  type: ItemTypeDescriptor,
  sent: readonly { readonly id: string; readonly values: StoredValues; readonly waiting: ReadonlySet<string> }[],
  { query }: BulkTransaction,
): Promise<ReadonlyMap<string, StoredValues>> {
  if (sent.length === 0) return new Map();
  const names = new Set(
    sent.flatMap(({ values, waiting }) => {
      const changed = new Set([...values.keys(), ...waiting]);
      return [...values.keys(), ...fieldsToCheck(type, shownEverywhere(type), changed)];
    }),
  );
  const fields = type.fields.filter(({ name }) => names.has(name));
  const rows = await query<Record<string, StoredValue>>(currentValuesStatement(type, fields, ' FOR UPDATE OF t'), [
    sent.map(({ id }) => id),
  ]);
  return new Map(
    rows.map((row) => [
      String(row['id']),
      new Map(fields.map((field, index) => [field.name, row[`f${index}`] ?? null])),
    ]),
  );
}
