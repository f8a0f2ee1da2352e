import { type HostDatabase, literal } from '@gantry/core-database';
import type { Scope } from '../policy/scope';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import { labelText, timestampJson } from '../sql/row-json';
import { rowsOf } from '../sql/rows';

/** Items in the answer at most. */
const limit = 10;

/**
 * The items that were created or changed last, of all types that people write, the latest first.
 * @returns a JSON array, as text
 */
export async function recentItems(scope: Scope, database: Pick<HostDatabase, 'query'>): Promise<string> {
  const types = scope.policy.types
    .served()
    .map(({ descriptor }) => descriptor)
    .filter(({ readOnly }) => !readOnly);
  if (types.length === 0) return '[]';
  const rows = await database.query({ sql: recentStatement(types) });
  return `[${rows.map(([json]) => String(json)).join(',')}]`;
}

/** The items of several types that changed last, as JSON texts. Of each type the index on the time of change gives the first. */
function recentStatement(types: readonly ItemTypeDescriptor[]): string {
  const sources = types.map(
    (type) => `(SELECT ${recentJson(type)} AS json, t.updated_at FROM ${rowsOf(type)} t
      ORDER BY t.updated_at DESC, t.id DESC LIMIT ${limit})`,
  );
  return `SELECT json FROM (${sources.join(' UNION ALL ')}) r ORDER BY updated_at DESC LIMIT ${limit}`;
}

function recentJson(type: ItemTypeDescriptor): string {
  return [
    literal(`{"type":${JSON.stringify(type.code)},"id":`),
    `t.id || ',"label":'`,
    `to_json(${labelText(type, 't')})::text || ',"updatedAt":'`,
    `${timestampJson('t.updated_at')} || ',"isNew":'`,
    `(t.updated_at = t.created_at)::text || '}'`,
  ].join(' || ');
}
