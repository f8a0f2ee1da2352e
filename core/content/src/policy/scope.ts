import type { ItemAction } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import { isNeverDone, type CompiledItemType, type ItemTypeDescriptor } from '../compile/descriptor';
import type { Policy } from './policy';

/** Who reads or writes items. */
export type Actor =
  /** `local` on a platform that is open, and for commands on its machine; else the id of a user. */
  | { readonly kind: 'user'; readonly id: string }
  /** The platform itself, for example a command; `reason` says why no user acts. */
  | { readonly kind: 'system'; readonly reason: string }
  | { readonly kind: 'plugin'; readonly id: string };

/** On whose behalf and under which policy items are read or written; the first argument of every function that does so. */
export interface Scope {
  readonly actor: Actor;
  readonly policy: Policy;
  /** Of the request that caused it; `none` without one. */
  readonly requestId: string;
  /** Id of the API token with which the request was made. */
  readonly tokenId?: string;
}

/** The scope of a request. */
export function userScope(policy: Policy, id: string, requestId: string, tokenId?: string): Scope {
  const scope: Scope = { actor: { kind: 'user', id }, policy, requestId };
  return tokenId === undefined ? scope : { ...scope, tokenId };
}

/** The scope of the platform itself. */
export function systemScope(policy: Policy, reason: string): Scope {
  return { actor: { kind: 'system', reason }, policy, requestId: 'none' };
}

/** The scope of a plugin's own code. */
export function pluginScope(policy: Policy, id: string): Scope {
  return { actor: { kind: 'plugin', id }, policy, requestId: 'none' };
}

/** The type of that code as the scope sees it. @throws GantryError TYPE_NOT_FOUND */
export function typeInScope(scope: Scope, code: string): CompiledItemType {
  const type = scope.policy.types.find(code);
  if (type === undefined) throw new GantryError('TYPE_NOT_FOUND', `CMS Type not found: ${code}`);
  return type;
}

/** Read-only types are written only by the plugin that has them. */
export function mayDo(scope: Scope, action: ItemAction, type: CompiledItemType): boolean {
  return !isRefused(scope, action, type) && scope.policy.may(action, type.descriptor);
}

function isRefused(scope: Scope, action: ItemAction, type: CompiledItemType): boolean {
  return isWrittenByOthers(scope, action, type) || isNeverDone(action, type.descriptor);
}

function isWrittenByOthers(scope: Scope, action: ItemAction, type: CompiledItemType): boolean {
  return action !== 'read' && action !== 'export' && isReadOnly(scope, type);
}

/**
 * @throws GantryError METHOD_NOT_ALLOWED for a read-only type, FORBIDDEN where the policy denies the action, CONFLICT for a second item of a
 *   singleton and the deletion of its only one
 */
export function assertMay(scope: Scope, action: ItemAction, type: CompiledItemType): void {
  const { descriptor } = type;
  if (isWrittenByOthers(scope, action, type)) {
    throw new GantryError(
      'METHOD_NOT_ALLOWED',
      `${descriptor.displayName} is read-only here: the plugin ${descriptor.plugin} writes it.`,
      { headers: { Allow: action === 'update' || action === 'delete' ? 'GET, HEAD' : '' } },
    );
  }
  if (!scope.policy.may(action, descriptor)) throw forbidden(action, descriptor);
  if (isNeverDone(action, descriptor)) {
    const refused = action === 'create' ? 'no second item can be created' : 'it cannot be deleted';
    throw new GantryError('CONFLICT', `${descriptor.displayName} has exactly one item: ${refused}. Change it instead.`);
  }
}

/** The type as the scope sees it. @throws GantryError TYPE_NOT_FOUND, METHOD_NOT_ALLOWED, FORBIDDEN */
export function writableType(
  scope: Scope,
  action: ItemAction,
  { descriptor }: Pick<CompiledItemType, 'descriptor'>,
): CompiledItemType {
  const type = typeInScope(scope, descriptor.code);
  assertMay(scope, action, type);
  return type;
}

/** Whether the scope may not write the type, whatever its policy allows. */
export function isReadOnly({ actor }: Scope, { descriptor, stored = descriptor }: CompiledItemType): boolean {
  return stored.readOnly && !(actor.kind === 'plugin' && actor.id === stored.plugin);
}

function forbidden(action: ItemAction, type: ItemTypeDescriptor): GantryError {
  return new GantryError('FORBIDDEN', `You have no right to ${action} ${type.displayName}.`);
}
