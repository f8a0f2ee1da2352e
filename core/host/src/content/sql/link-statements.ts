import { quoteIdentifier } from '../../database/identifiers';
import type { FieldDescriptor } from '../compile/descriptor';

/** Parameters: id of the item. */
export function unlinkStatement(field: FieldDescriptor): string {
  return `DELETE FROM ${linkTable(field)} WHERE item_id = $1::bigint`;
}

/** Parameters: id of the item, ids of the targets in order. */
export function linkStatement(field: FieldDescriptor): string {
  return (
    `INSERT INTO ${linkTable(field)} (item_id, target_id, position)` +
    ` SELECT $1::bigint, u.target, u.position FROM unnest($2::bigint[]) WITH ORDINALITY AS u(target, position)`
  );
}

/** Parameters: id of the item. */
export function linkedIdsStatement(field: FieldDescriptor): string {
  return `SELECT target_id FROM ${linkTable(field)} WHERE item_id = $1::bigint ORDER BY position`;
}

function linkTable(field: FieldDescriptor): string {
  return quoteIdentifier(field.reference?.linkTable ?? '');
}
