import { escapePattern } from '@gantry/plugin-api';
import { quoteIdentifier, type ParameterValue } from '@gantry/core-database';
import { isGroup, type BoundComparison, type BoundCriterion } from '../query/criteria';
import { type FieldDescriptor, isLinked } from '../compile/descriptor';
import type { Relation } from '../query/related-field';
import { rowsOf } from './rows';

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
  const values: ParameterValue[] = [];
  const conditions = criteria.map((criterion) =>
    condition(criterion, (value) => {
      values.push(value);
      return `$${values.length}`;
    }),
  );
  return { conditions, values };
}

/** The condition of a criterion with its values as constants: for conditions that are part of a policy. */
export function constantCondition(criterion: BoundCriterion): string {
  return condition(criterion, (value) => constant(String(value)));
}

/** SQL of a value: a parameter or a constant. */
type Bind = (value: ParameterValue) => string;

/** Without a dollar sign, which Sequelize would take for a parameter, also inside of quotes: so `escapeLiteral` of pg does not do. */
function constant(text: string): string {
  const escaped = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll("'", "''")
    .replaceAll('$', String.raw`\x24`);
  return ` E'${escaped}'`;
}

export function whereClause(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

function condition(criterion: BoundCriterion, bind: Bind, isAlternative = false): string {
  if (!isGroup(criterion)) {
    const { via } = criterion;
    return via === undefined
      ? shownComparison(criterion, bind)
      : relatedComparison(criterion, via, bind, isAlternative);
  }
  const members = criterion.members.map((one) => condition(one, bind, isAlternative || criterion.holds === 'any'));
  return `(${members.join(criterion.holds === 'any' ? ' OR ' : ' AND ')})`;
}

/**
 * An item that the reference refers to meets the comparison, of those that the policy shows. Within the subquery, `t` are these items, so
 * that all conditions are the same there.
 * @param isAlternative one of several of which one must hold: an index is used for a list, and none for a subquery
 */
function relatedComparison(
  criterion: BoundComparison,
  { field, target }: Relation,
  bind: Bind,
  isAlternative: boolean,
): string {
  const met = shownComparison(criterion, bind);
  const link = quoteIdentifier(field.reference?.linkTable ?? '');
  const [column, ids] = isLinked(field)
    ? ['t.id', `SELECT l.item_id FROM ${link} l JOIN ${rowsOf(target)} t ON t.id = l.target_id WHERE ${met}`]
    : [`t.${quoteIdentifier(field.column)}`, `SELECT t.id FROM ${rowsOf(target)} t WHERE ${met}`];
  const sql = `${column} ${isAlternative ? `= ANY(ARRAY(${ids}))` : `IN (${ids})`}`;
  return field.shownOn === undefined ? sql : `(${sql} AND ${field.shownOn})`;
}

/** Where a policy shows the field on some items only, the others never meet it. */
function shownComparison(criterion: BoundComparison, bind: Bind): string {
  const { shownOn } = criterion.field;
  const met = comparisonOf(criterion, bind);
  return shownOn === undefined ? met : `(${met} AND ${shownOn})`;
}

function comparisonOf(criterion: BoundComparison, bind: Bind): string {
  const { field, operator, searched, own } = criterion;
  if (own !== undefined) return ownCondition(criterion, own, bind);
  const value = bind(boundValue(criterion));
  if (searched !== undefined) return searchCondition(searched, operator, value);
  if (isLinked(field)) {
    return linkedCondition(field, `l.target_id ${comparison(operator)} ${field.kind.cast(value, field)}`);
  }
  const column = `t.${quoteIdentifier(field.column)}`;
  if (operator === 'CONTAINS') return `${column} ILIKE ${value}`;
  // There may be no equality; the value is null.
  if (operator === 'SAME' && !field.kind.isSortable) return `${column}::text ${comparison(operator)} ${value}::text`;
  return `${column} ${comparison(operator)} ${field.kind.cast(value, field)}`;
}

/** @param met over the links, aliased `l` */
function linkedCondition(field: FieldDescriptor, met: string): string {
  return `EXISTS (SELECT 1 FROM ${quoteIdentifier(field.reference?.linkTable ?? '')} l WHERE l.item_id = t.id AND ${met})`;
}

/** The condition of an operator of the kind. */
function ownCondition(
  { field }: BoundComparison,
  { value, condition: met, isNegated }: OwnOperand,
  bind: Bind,
): string {
  const parameter = value === undefined ? '' : bind(value);
  const sql = isLinked(field)
    ? linkedCondition(field, met('l.target_id', parameter))
    : `(${met(`t.${quoteIdentifier(field.column)}`, parameter)})`;
  return isNegated === true ? `(${sql} IS NOT TRUE)` : sql;
}

type OwnOperand = NonNullable<BoundComparison['own']>;

/** Each of the fields is compared as text, which a field of another kind has too. */
function searchCondition(
  fields: readonly FieldDescriptor[],
  operator: BoundComparison['operator'],
  value: string,
): string {
  const matches = fields.map(({ column, kind }) => {
    const text = kind.isText ? '' : '::text';
    return `t.${quoteIdentifier(column)}${text} ILIKE ${value}`;
  });
  const isId = operator === 'HAS_OR_ID' || operator === 'BEGINS_OR_ID';
  const byId = isId ? [`t.id = btrim(${value}::text, '%')::bigint`] : [];
  // A parameter that no condition uses is an error.
  const none = `${value}::text IS NULL`;
  return `(${[...byId, ...matches].join(' OR ') || none})`;
}

function comparison(operator: BoundComparison['operator']): string {
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

function boundValue({ operator, value }: BoundComparison): ParameterValue {
  switch (operator) {
    case 'CONTAINS':
    case 'HAS':
    case 'HAS_OR_ID':
      return `%${escapePattern(String(value))}%`;
    case 'BEGINS':
    case 'BEGINS_OR_ID':
      return `${escapePattern(String(value))}%`;
    default:
      return value;
  }
}
