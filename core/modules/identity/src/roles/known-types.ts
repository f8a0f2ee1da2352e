import { conditionsIn, type Grant } from '@gantry/contracts';
import type { Database } from '@gantry/plugin-api';
import { extraSeparator } from '@gantry/core-database';
import { bumpVersion, lockAccounts } from '../accounts/account-changes';

/** An item type of a plugin that is in use. */
export interface DeclaredType {
  readonly plugin: string;
  readonly type: string;
  readonly fields: readonly string[];
}

interface KnownType extends DeclaredType {
  readonly removedFields: readonly string[];
  readonly isRemoved: boolean;
  /** Field names, with the time (ISO 8601) from which on they are there again; an empty name for the type itself. */
  readonly returned: Readonly<Record<string, string>>;
}

const columns = 'plugin, type, fields, removed_fields AS "removedFields", is_removed AS "isRemoved", returned';

/**
 * Notes which types and fields the plugins have that are in use. Grants that are older than the return of a removed type or field do
 * not apply to it. Plugins that are not in use are left alone: enabling one restores its grants.
 */
export async function recordTypes(
  database: Database,
  plugins: readonly string[],
  declared: readonly DeclaredType[],
): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockAccounts(transaction);
    // Of the clock by which roles are written.
    const [time] = await transaction.query<{ readonly now: Date }>('SELECT now() AS now');
    const now = (time?.now ?? new Date()).toISOString();
    const rows = await transaction.query<KnownType>(`SELECT ${columns} FROM gantry_known_type`);
    const known = new Map(rows.map((row) => [keyOf(row), row]));
    const declaredKeys = new Set(declared.map(keyOf));
    const present = declared.map((type) => ({
      before: known.get(keyOf(type)),
      after: declaredAgain(withAbsentFields(type, known, plugins), known, now),
    }));
    const gone = rows
      .filter((row) => plugins.includes(row.plugin) && !declaredKeys.has(keyOf(row)))
      .map((before) => ({ before, after: { ...before, isRemoved: true } }));
    const changed = [...present, ...gone].filter(({ before, after }) => !isSame(before, after));
    await write(
      transaction,
      changed.map(({ after }) => after),
    );
    if (
      changed.some(({ before, after }) => JSON.stringify(before?.returned ?? {}) !== JSON.stringify(after.returned))
    ) {
      await bumpVersion(transaction);
    }
  });
}

/** Extra fields of plugins that are not in use are left alone, too. */
function withAbsentFields(
  type: DeclaredType,
  known: ReadonlyMap<string, KnownType>,
  plugins: readonly string[],
): DeclaredType {
  const isAbsent = (name: string): boolean =>
    name.includes(extraSeparator) && !plugins.some((id) => name.startsWith(id + extraSeparator));
  const absent = known.get(keyOf(type))?.fields.filter(isAbsent) ?? [];
  return absent.length === 0 ? type : { ...type, fields: [...new Set([...type.fields, ...absent])] };
}

function declaredAgain(type: DeclaredType, known: ReadonlyMap<string, KnownType>, now: string): KnownType {
  const before = known.get(keyOf(type));
  const fields = type.fields.toSorted();
  if (before === undefined) return { ...type, fields, removedFields: [], isRemoved: false, returned: {} };
  const lost = before.fields.filter((name) => !fields.includes(name));
  const back = fields.filter((name) => before.removedFields.includes(name));
  const removedFields = [...before.removedFields.filter((name) => !back.includes(name)), ...lost].toSorted();
  const again = [...(before.isRemoved ? [''] : []), ...back];
  const returned = { ...before.returned, ...Object.fromEntries(again.map((name) => [name, now])) };
  return { ...type, fields, removedFields, isRemoved: false, returned };
}

function isSame(before: KnownType | undefined, after: KnownType): boolean {
  const parts = ({ fields, removedFields, isRemoved, returned }: KnownType) =>
    JSON.stringify([fields, removedFields, isRemoved, returned]);
  return before !== undefined && parts(before) === parts(after);
}

async function write(transaction: Database, types: readonly KnownType[]): Promise<void> {
  await transaction.query(
    `INSERT INTO gantry_known_type (plugin, type, fields, removed_fields, is_removed, returned)
     SELECT e ->> 'plugin', e ->> 'type', ARRAY(SELECT jsonb_array_elements_text(e -> 'fields')),
       ARRAY(SELECT jsonb_array_elements_text(e -> 'removedFields')), (e ->> 'isRemoved')::boolean, e -> 'returned'
     FROM jsonb_array_elements($1::jsonb) AS e
     ON CONFLICT (plugin, type) DO UPDATE SET fields = EXCLUDED.fields, removed_fields = EXCLUDED.removed_fields,
       is_removed = EXCLUDED.is_removed, returned = EXCLUDED.returned`,
    [JSON.stringify(types)],
  );
}

function keyOf({ plugin, type }: Pick<DeclaredType, 'plugin' | 'type'>): string {
  return `${plugin} ${type}`;
}

/** Since when types and fields that had been removed are there again. */
export type Returned = ReadonlyMap<string, Readonly<Record<string, string>>>;

export async function readReturned(database: Database): Promise<Returned> {
  const rows = await database.query<KnownType>(
    `SELECT ${columns} FROM gantry_known_type WHERE returned <> '{}'::jsonb`,
  );
  return new Map(rows.map((row) => [keyOf(row), row.returned]));
}

/** Grants that were written at a time, without types and fields that were removed and added again later. */
export function grantsInForce(grants: readonly Grant[], writtenAt: Date, returned: Returned): readonly Grant[] {
  return grants.flatMap((grant) => grantInForce(grant, writtenAt, returned) ?? []);
}

function grantInForce(grant: Grant, writtenAt: Date, returned: Returned): Grant | undefined {
  const { on, readableFields, writableFields, where } = grant;
  if (typeof on === 'string' || on.type === undefined) return grant;
  const times = returned.get(keyOf({ plugin: on.plugin, type: on.type }));
  if (times === undefined) return grant;
  const isMeant = (name: string): boolean =>
    !Object.hasOwn(times, name) || new Date(times[name] ?? '').getTime() < writtenAt.getTime();
  if (!isMeant('') || conditionsIn(where ?? []).some(({ field }) => !isMeant(field))) return undefined;
  return {
    ...grant,
    ...(readableFields === undefined ? {} : { readableFields: readableFields.filter(isMeant) }),
    ...(writableFields === undefined ? {} : { writableFields: writableFields.filter(isMeant) }),
  };
}
