import type { Database, RenamedItemType, TypeEvent } from '@gantry/plugin-api';
import { renamePreference, withoutFields, type NamedPreference } from './rename-preference';

/** Favourites, columns and views that people have saved follow renames of types and fields; those of lists of purged types go. */
export async function followTypes(event: TypeEvent, database: Database): Promise<void> {
  if (event.kind === 'purged') {
    const names = event.types.map((type) => `list.${type}`);
    await database.query('DELETE FROM admin_ui_preference WHERE name = ANY ($1::text[])', [names]);
    for (const { type, fields } of event.extraFields ?? []) {
      await update(database, [`list.${type}`], ({ name, value }) => ({ name, value: withoutFields(value, fields) }));
    }
    return;
  }
  for (const renamed of event.types) await carryOver(database, renamed);
}

async function carryOver(database: Database, renamed: RenamedItemType): Promise<void> {
  const { type, earlierType = type } = renamed;
  const names = ['favourites', `list.${earlierType}`, `list.${type}`];
  await update(database, names, (stored) => renamePreference(stored, renamed));
}

async function update(
  database: Database,
  names: readonly string[],
  change: (stored: NamedPreference) => NamedPreference,
): Promise<void> {
  const rows = await database.query<NamedPreference & { readonly owner: string }>(
    'SELECT owner, name, value FROM admin_ui_preference WHERE name = ANY ($1::text[]) FOR UPDATE',
    [names],
  );
  const keys = new Set(rows.map(({ owner, name }) => `${owner}\n${name}`));
  for (const { owner, ...stored } of rows) {
    const moved = change(stored);
    const isSame = JSON.stringify(moved) === JSON.stringify({ name: stored.name, value: stored.value });
    // One of the name of today is newer.
    if (isSame || (moved.name !== stored.name && keys.has(`${owner}\n${moved.name}`))) continue;
    await database.query(
      `UPDATE admin_ui_preference SET name = $3, value = $4::jsonb, version = nextval('admin_ui_preference_version')
       WHERE owner = $1 AND name = $2`,
      [owner, stored.name, moved.name, JSON.stringify(moved.value)],
    );
  }
}
