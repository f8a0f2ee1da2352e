import { quoteIdentifier } from '../../database/identifiers';
import type { ParameterValue } from '../../database/prepared-query';
import type { BoundCriterion } from '../query/criteria';
import { type FieldDescriptor, isLinked } from '../compile/descriptor';

/** SQL conditions over the item alias `t`, and the values of their parameters. */
export interface Conditions {
  readonly conditions: readonly string[];
  readonly values: readonly unknown[];
}

/** Conditions of criteria. */
export interface BoundConditions extends Conditions {
  readonly values: readonly ParameterValue[];
}

/** All criteria must hold; every value is bound as a parameter. */
export function conditionsOf(criteria: readonly BoundCriterion[]): BoundConditions {
  return {
    conditions: criteria.map((criterion, index) => condition(criterion, index + 1)),
    values: criteria.map(boundValue),
  };
}

export function whereClause(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

function condition(criterion: BoundCriterion, position: number): string {
  const { field, operator, searched } = criterion;
  if (searched !== undefined) return searchCondition(searched, operator, position);
  if (isLinked(field)) {
    const parameter = field.kind.parameter(position, field);
    return (
      `EXISTS (SELECT 1 FROM ${quoteIdentifier(field.reference?.linkTable ?? '')} l` +
      ` WHERE l.item_id = t.id AND l.target_id ${comparison(operator)} ${parameter})`
    );
  }
  const column = `t.${quoteIdentifier(field.column)}`;
  if (operator === 'CONTAINS') return `${column} ILIKE $${position}`;
  return `${column} ${comparison(operator)} ${field.kind.parameter(position, field)}`;
}

/** Each of the fields is compared as text, which a field of another kind has too. */
function searchCondition(
  fields: readonly FieldDescriptor[],
  operator: BoundCriterion['operator'],
  position: number,
): string {
  const matches = fields.map(({ column, kind }) => {
    const text = kind.isText ? '' : '::text';
    return `t.${quoteIdentifier(column)}${text} ILIKE $${position}`;
  });
  const isId = operator === 'HAS_OR_ID' || operator === 'BEGINS_OR_ID';
  const byId = isId ? [`t.id = btrim($${position}::text, '%')::bigint`] : [];
  // A parameter that no condition uses is an error.
  const none = `$${position}::text IS NULL`;
  return `(${[...byId, ...matches].join(' OR ') || none})`;
}

function comparison(operator: BoundCriterion['operator']): string {
  switch (operator) {
    case 'MORE_THAN':
      return '>';
    case 'LESS_THAN':
      return '<';
    case 'SAME':
      return 'IS NOT DISTINCT FROM';
    default:
      return '=';
  }
}

function boundValue({ operator, value }: BoundCriterion): ParameterValue {
  switch (operator) {
    case 'CONTAINS':
    case 'HAS':
    case 'HAS_OR_ID':
      return `%${escapePattern(value)}%`;
    case 'BEGINS':
    case 'BEGINS_OR_ID':
      return `${escapePattern(value)}%`;
    default:
      return value;
  }
}

/** A text of which no character has a meaning in a pattern of LIKE. */
export function escapePattern(value: unknown): string {
  return String(value).replaceAll(/[\\%_]/g, String.raw`\$&`);
}
