import { literal } from '@gantry/core-database';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import { labelText, timestampJson } from './row-json';
import { rowsOf } from './rows';

/**
 * The items of several types that changed last, as JSON texts. Of each type the index on the time of change gives the first.
 * @param limit items of all types together
 */
export function recentStatement(types: readonly ItemTypeDescriptor[], limit: number): string {
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
