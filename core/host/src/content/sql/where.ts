import { quoteIdentifier } from '../../database/identifiers';
import type { ParameterValue } from '../../database/prepared-query';
import type { BoundCriterion } from '../query/criteria';
import { isLinked } from '../compile/descriptor';

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
  const { field, operator } = criterion;
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

function comparison(operator: BoundCriterion['operator']): string {
  switch (operator) {
    case 'MORE_THAN':
      return '>';
    case 'LESS_THAN':
      return '<';
    case 'SAME':
      return 'IS NOT DISTINCT FROM';
    case 'EQUALS':
    case 'CONTAINS':
      return '=';
  }
}

function boundValue({ operator, value }: BoundCriterion): ParameterValue {
  return operator === 'CONTAINS' ? `%${String(value).replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : value;
}
