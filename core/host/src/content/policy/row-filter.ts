import { userVariables, type Grant, type ItemCondition } from '@gantry/contracts';
import type { FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import { bindCriterion, platformField } from '../query/criteria';
import { constantCondition } from '../sql/where';

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

/** @param type all of it, whatever a policy shows: what a condition is about may be hidden from the user */
export function rowFilterOf({ where }: Grant, type: ItemTypeDescriptor, user: PolicyUser): RowFilter {
  if (where === undefined) return { condition: undefined, problems: [] };
  const parts = where.map((condition) => readCondition(condition, type, user));
  const problems = parts.flatMap((part, index) => {
    const condition = where[index];
    return 'problem' in part && condition !== undefined ? [{ condition, text: part.problem }] : [];
  });
  if (problems.length > 0 || parts.length === 0) return { condition: noItem, problems };
  return { condition: `(${parts.map((part) => ('sql' in part ? part.sql : noItem)).join(' AND ')})`, problems };
}

/** Whether the items depend on who asks. */
export function dependsOnUser({ where = [] }: Grant): boolean {
  return where.some(({ value }) => variableOf(value) !== undefined);
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
  const variable = variableOf(value);
  const text = variable === undefined ? value : variables[variable](user);
  if (text.trim() === '') return { problem: `the value of ${name} is blank` };
  const bound = bindCriterion(field, operator, text);
  return 'message' in bound ? { problem: `the value of ${name} ${bound.message}` } : { sql: constantCondition(bound) };
}

/** Fields of which an index has the values. */
function comparableField(type: ItemTypeDescriptor, name: string): FieldDescriptor | undefined {
  const declared = type.fields.find(
    (field) => field.name === name && (field.searchable || field.reference !== undefined),
  );
  return declared ?? platformField(type, name);
}
