import type { ItemAction, OperatorName } from './items';

/**
 * The types that a grant is about: `content`, all types whose items people write; `records`, all types that only their plugin
 * writes; or those of a plugin, of which `type` names one. Types that are added later belong to it as well.
 * @public
 */
export type GrantTarget = 'content' | 'records' | { readonly plugin: string; readonly type?: string };

/** Variables of a condition, in place of a text: values of the user who asks. @public */
export const userVariables = ['$user.id', '$user.login'] as const;

/**
 * A condition on the value of a field. The value may be one of {@link userVariables}. A field that does not exist or cannot be
 * searched by, an operator that it does not have, and a value that does not fit it, is met by no item.
 * @public
 */
export interface ItemCondition {
  /** A searchable field or reference, `id`, `createdBy` or `updatedBy`. */
  readonly field: string;
  readonly operator: OperatorName;
  readonly value: string;
}

/** Conditions of which one, or all, must be met; at most three levels deep. @public */
export type ItemConditionGroup =
  | { readonly any: readonly GrantCondition[] }
  | { readonly all: readonly GrantCondition[] };

/** A condition on items, or a group of them. @public */
export type GrantCondition = ItemCondition | ItemConditionGroup;

/** The conditions of groups and outside of them. @public */
export function conditionsIn(conditions: readonly GrantCondition[]): readonly ItemCondition[] {
  return conditions.flatMap((condition) => {
    if ('any' in condition) return conditionsIn(condition.any);
    return 'all' in condition ? conditionsIn(condition.all) : [condition];
  });
}

/** A permission of a role on items. Grants add up: there is none that takes something away. @public */
export interface Grant {
  readonly on: GrantTarget;
  readonly actions: readonly ItemAction[];
  /** Names of the fields that are shown; all unless given. Only for one type. */
  readonly readableFields?: readonly string[];
  /** Names of the fields that can be set; all that are shown unless given. Only for one type. */
  readonly writableFields?: readonly string[];
  /** The items: those that meet all conditions; all unless given. Only for one type. An import creates and updates by these. */
  readonly where?: readonly GrantCondition[];
}

/** A grant as it is shown to those who cannot read all that it is about. @public */
export interface ShownGrant extends Grant {
  /** Some conditions are left out: they name fields or values that the caller cannot read. */
  readonly hidesConditions?: true;
}

/** The rights of a user with the role. @public */
export interface Role {
  /** Lower case, for example `price-editor`. */
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly grants: readonly Grant[];
  /** For example `plugins.change`, or `ops.control`, which a plugin declares. */
  readonly permissions: readonly string[];
  /** Built-in roles cannot be changed. */
  readonly isBuiltIn: boolean;
}

/** Something other than items that a role can allow. @public */
export interface Permission {
  /** Of a plugin, it begins with its id: `ops.control`. */
  readonly name: string;
  readonly displayName: string;
  /** Built-in roles that have the permission. */
  readonly roles?: readonly string[];
}
