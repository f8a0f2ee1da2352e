import { GantryError, type Caller, type Database } from '@gantry/plugin-api';
import { preferenceLimits } from './preference-limits';
import type { PreferenceChange, StoredPreference } from './preference-schemas';

/** Who stored preferences before sign-in was switched on. */
const localOwner = 'local';

/** Preferences of owners about the pages. A change names the version that was read, so that two tabs never lose one another's. */
export interface PreferenceStore {
  /** All of the caller. The first administrator takes over those that were stored before sign-in was switched on. */
  list(caller: Caller): Promise<readonly StoredPreference[]>;
  /** @throws GantryError VERSION_MISMATCH, PAYLOAD_TOO_LARGE */
  write(owner: string, name: string, change: PreferenceChange): Promise<StoredPreference>;
  /** The value of one; undefined where there is none. */
  find(owner: string, name: string): Promise<StoredPreference['value'] | undefined>;
  /** @throws GantryError NOT_FOUND, VERSION_MISMATCH */
  remove(owner: string, name: string, version: number): Promise<void>;
}

interface PreferenceRow {
  readonly name: string;
  /** A bigint, which the database gives as text. */
  readonly version: string;
  readonly value: StoredPreference['value'];
}

/** @param database where the migration has made the table `admin_ui_preference` */
export function createPreferenceStore(database: Database): PreferenceStore {
  return {
    async list({ id: owner, succeedsLocal = false }) {
      if (succeedsLocal) await takeOverLocal(database, owner);
      const rows = await database.query<PreferenceRow>(
        'SELECT name, version, value FROM admin_ui_preference WHERE owner = $1 ORDER BY name',
        [owner],
      );
      return rows.map(present);
    },
    async find(owner, name) {
      const rows = await database.query<Pick<PreferenceRow, 'value'>>(
        'SELECT value FROM admin_ui_preference WHERE owner = $1 AND name = $2',
        [owner, name],
      );
      return rows[0]?.value;
    },
    write: (owner, name, change) =>
      database.transaction(async (transaction) => {
        await lockOwner(transaction, owner);
        assertVersion(name, await readVersion(transaction, owner, name), change.version);
        const stored = await upsert(transaction, owner, name, change);
        await assertSize(transaction, owner);
        return stored;
      }),
    remove: (owner, name, version) =>
      database.transaction(async (transaction) => {
        await lockOwner(transaction, owner);
        const found = await readVersion(transaction, owner, name);
        if (found === null) throw new GantryError('NOT_FOUND', `There is no preference "${name}".`);
        assertVersion(name, found, version);
        await transaction.query('DELETE FROM admin_ui_preference WHERE owner = $1 AND name = $2', [owner, name]);
      }),
  };
}

async function takeOverLocal(database: Database, owner: string): Promise<void> {
  await database.query(
    `UPDATE admin_ui_preference SET owner = $1
     WHERE owner = $2 AND NOT EXISTS (SELECT FROM admin_ui_preference WHERE owner = $1)`,
    [owner, localOwner],
  );
}

/** One change of an owner at a time: the sum of all sizes is checked, and a row that is not there yet cannot be locked. */
async function lockOwner(transaction: Database, owner: string): Promise<void> {
  await transaction.query("SELECT pg_advisory_xact_lock(hashtext('admin_ui_preference'), hashtext($1))", [owner]);
}

async function readVersion(transaction: Database, owner: string, name: string): Promise<number | null> {
  const [row] = await transaction.query<Pick<PreferenceRow, 'version'>>(
    'SELECT version FROM admin_ui_preference WHERE owner = $1 AND name = $2',
    [owner, name],
  );
  return row === undefined ? null : Number(row.version);
}

function assertVersion(name: string, found: number | null, expected: number | null): void {
  if (found === expected) return;
  const stored = found === null ? 'was removed in the meantime' : `has version ${found}`;
  throw new GantryError(
    'VERSION_MISMATCH',
    `The preference "${name}" ${stored}; the change was made for ${expected ?? 'a new one'}. Read it, then repeat the change.`,
  );
}

async function upsert(
  transaction: Database,
  owner: string,
  name: string,
  { value }: PreferenceChange,
): Promise<StoredPreference> {
  const [row] = await transaction.query<PreferenceRow>(
    `INSERT INTO admin_ui_preference (owner, name, value) VALUES ($1, $2, $3::jsonb)
     ON CONFLICT (owner, name) DO UPDATE
     SET value = EXCLUDED.value, version = EXCLUDED.version, updated_at = now()
     RETURNING name, version, value`,
    [owner, name, JSON.stringify(value)],
  );
  if (row === undefined) throw new Error('The database returned no row.');
  return present(row);
}

async function assertSize(transaction: Database, owner: string): Promise<void> {
  const [row] = await transaction.query<{ bytes: string; lists: number }>(
    `SELECT sum(octet_length(value::text)) AS bytes, (count(*) FILTER (WHERE name <> 'favourites'))::integer AS lists
     FROM admin_ui_preference WHERE owner = $1`,
    [owner],
  );
  const { totalBytes, lists } = preferenceLimits;
  if (Number(row?.bytes ?? 0) <= totalBytes && (row?.lists ?? 0) <= lists) return;
  throw new GantryError(
    'PAYLOAD_TOO_LARGE',
    `All preferences together may have ${totalBytes} bytes, for at most ${lists} lists. Delete views that are not needed.`,
  );
}

function present({ name, version, value }: PreferenceRow): StoredPreference {
  return { name, version: Number(version), value };
}
