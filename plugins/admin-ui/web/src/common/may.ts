import type { ItemAction, ItemMetadata } from '@gantry/contracts';

/** Whether the reader of the page may do that to items of the type. */
export function may(
  { readOnly, singleton, actions }: Pick<ItemMetadata, 'readOnly' | 'singleton' | 'actions'>,
  action: ItemAction,
): boolean {
  if (readOnly && action !== 'read' && action !== 'export') return false;
  if (singleton === true && (action === 'create' || action === 'delete')) return false;
  return actions === undefined || actions.includes(action);
}
