import { conditionsIn, userVariables, type Grant, type GrantCondition, type ItemCondition } from '@gantry/contracts';
import { isAuthorName } from '../compile/author-fields';
import type { FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import { bindCriterion, operatorOf, platformField, type BoundComparison } from '../query/criteria';
import { constantCondition } from '../sql/where';
import type { ConditionTrial, TriedCondition } from './condition-trial';

/** The user whose values conditions may have. */
export interface PolicyUser {
  readonly id: string;
  /** Email address of a person, name of a service account. */
  readonly login: string;
}

/** Whether it is a user, and not a request without a credential. */
export function isSignedIn({ id }: PolicyUser): boolean {
  return /^\d+$/.test(id);
}

/** The items that a grant is about, and what is wrong with its conditions: then no item meets them. */
export interface RowFilter {
  /** SQL over the alias `t`; undefined for all items. */
  readonly condition: string | undefined;
  readonly problems: readonly ConditionProblem[];
}

/** Why no item meets a condition. */
export interface ConditionProblem {
  readonly condition: ItemCondition;
  readonly text: string;
}

/** The condition that no item meets. */
export const noItem = 'false';

/**
 * @param type all of it, whatever a policy shows: what a condition is about may be hidden from the user
 * @param isRefused whether PostgreSQL refuses the value of a condition
 */
export function rowFilterOf(
  { where }: Grant,
  type: ItemTypeDescriptor,
  user: PolicyUser,
  isRefused: IsRefused = () => false,
): RowFilter {
  if (where === undefined) return { condition: undefined, problems: [] };
  const problems: ConditionProblem[] = [];
  const sql = joined(where, ' AND ', (condition) => {
    const read = readCondition(condition, type, user);
    if ('sql' in read && !isRefused({ table: type.table, sql: read.sql })) return read.sql;
    const problem = 'sql' in read ? `the value of ${condition.field} does not fit the field` : read.problem;
    problems.push({ condition, text: problem });
    return noItem;
  });
  // A condition that cannot be read makes the whole grant about no item, also within a group.
  return { condition: problems.length > 0 ? noItem : sql, problems };
}

export type IsRefused = ConditionTrial['isRefused'];

/** The conditions of a grant on the items of a type that can be read. */
export function conditionsToTry(
  { where = [] }: Grant,
  type: ItemTypeDescriptor,
  user: PolicyUser,
): readonly TriedCondition[] {
  return conditionsIn(where).flatMap((condition) => {
    const read = readCondition(condition, type, user);
    return 'sql' in read ? [{ table: type.table, sql: read.sql }] : [];
  });
}

type ReadCondition = (condition: ItemCondition) => string;

/** A group of nothing is met by no item. */
function joined(conditions: readonly GrantCondition[], joint: string, read: ReadCondition): string {
  const parts = conditions.map((condition) => {
    if ('any' in condition) return joined(condition.any, ' OR ', read);
    return 'all' in condition ? joined(condition.all, ' AND ', read) : read(condition);
  });
  return parts.length === 0 ? noItem : `(${parts.join(joint)})`;
}

/** Whether the items depend on who asks. */
export function dependsOnUser({ where = [] }: Grant): boolean {
  return conditionsIn(where).some(({ value }) => variableOf(value) !== undefined);
}

type UserVariable = (typeof userVariables)[number];

const variables: Readonly<Record<UserVariable, (user: PolicyUser) => string>> = {
  '$user.id': ({ id }) => id,
  '$user.login': ({ login }) => login,
};

function variableOf(value: string): UserVariable | undefined {
  return userVariables.find((variable) => variable === value);
}

function readCondition(
  { field: name, operator, value }: ItemCondition,
  type: ItemTypeDescriptor,
  user: PolicyUser,
): { readonly sql: string } | { readonly problem: string } {
  const field = comparableField(type, name);
  if (field === undefined) {
    return { problem: `${type.displayName} has no field ${name} that items can be searched by` };
  }
  if (operatorOf(field.kind, operator) === undefined) return { problem: `${name} has no operator ${operator}` };
  const variable = variableOf(value);
  if (variable !== undefined && isWritableAuthor(type, name)) {
    return { problem: `${name} is a field of the plugin, which clients can set: it is not who has written the item` };
  }
  const text = variable === undefined ? value : variables[variable](user);
  if (text.trim() === '') return { problem: `the value of ${name} is blank` };
  const bound = bindCriterion(field, operator, text);
  if ('message' in bound) return { problem: `the value of ${name} ${bound.message}` };
  const sql = sqlOf(bound);
  return sql === undefined
    ? { problem: `the operator ${operator} of ${name} cannot be used in conditions of roles` }
    : { sql };
}

/** A field of a plugin with the name of the one that the platform fills: users would claim items of others, or give theirs away. */
function isWritableAuthor({ readOnly, fields }: ItemTypeDescriptor, name: string): boolean {
  return !readOnly && isAuthorName(name) && fields.some((field) => field.name === name);
}

/** @returns undefined when the kind of a plugin fails, or gives what would be taken for a parameter */
function sqlOf(bound: BoundComparison): string | undefined {
  try {
    const sql = constantCondition(bound);
    return sql.includes('$') ? undefined : sql;
  } catch {
    return undefined;
  }
}

/** The field of a condition: one of which an index has the values. */
export function comparableField(type: ItemTypeDescriptor, name: string): FieldDescriptor | undefined {
  const declared = type.fields.find(
    (field) => field.name === name && (field.searchable || field.reference !== undefined),
  );
  return declared ?? platformField(type, name);
}
