import { itemActions, type Grant, type GrantTarget, type GrantCondition, type ItemAction } from '@gantry/contracts';

/** Names a target of grants: `content`, `records`, `catalog`, `catalog/product`. */
export function keyOf(on: GrantTarget): string {
  if (typeof on === 'string') return on;
  return on.type === undefined ? on.plugin : `${on.plugin}/${on.type}`;
}

/** Whether the role has several grants on one target, whose fields or items differ by action: the matrix has one line for each target. */
export function hasSeveralGrantsOnATarget(grants: readonly Grant[]): boolean {
  return new Set(grants.map(({ on }) => keyOf(on))).size < grants.length;
}

/** With or without an action for a target; a grant without actions goes. */
export function withAction(
  grants: readonly Grant[],
  on: GrantTarget,
  action: ItemAction,
  isGranted: boolean,
): readonly Grant[] {
  const key = keyOf(on);
  const known = grants.find((grant) => keyOf(grant.on) === key) ?? { on, actions: [] };
  // Without `read`, no other action is possible.
  const wanted = new Set<ItemAction>(isGranted ? [...known.actions, 'read', action] : known.actions);
  if (!isGranted) {
    wanted.delete(action);
    if (action === 'read') wanted.clear();
  }
  const actions = itemActions.filter((candidate) => wanted.has(candidate));
  const others = grants.filter((grant) => keyOf(grant.on) !== key);
  return actions.length === 0 ? others : [...others, { ...known, actions }];
}

export interface GrantFields {
  /** Undefined for all fields, also those that are added later. */
  readonly readable: readonly string[] | undefined;
  readonly writable: readonly string[] | undefined;
}

export function withFields(
  grants: readonly Grant[],
  on: GrantTarget,
  { readable, writable }: GrantFields,
): readonly Grant[] {
  return changed(grants, on, ({ readableFields: _readable, writableFields: _writable, ...rest }) => ({
    ...rest,
    ...(readable === undefined ? {} : { readableFields: readable }),
    ...(writable === undefined ? {} : { writableFields: writable }),
  }));
}

/** @param where none for all items */
export function withConditions(
  grants: readonly Grant[],
  on: GrantTarget,
  where: readonly GrantCondition[],
): readonly Grant[] {
  return changed(grants, on, ({ where: _where, ...rest }) => (where.length === 0 ? rest : { ...rest, where }));
}

function changed(grants: readonly Grant[], on: GrantTarget, change: (grant: Grant) => Grant): readonly Grant[] {
  const key = keyOf(on);
  return grants.map((grant) => (keyOf(grant.on) === key ? change(grant) : grant));
}
