import { isMadeByFunction, fieldsByName, parseCriteria, type BoundCriterion, type Scope } from '@gantry/core-content';
import { readReferenceText } from '../reference/reference-input';
import { referenceKeyOf } from '../reference/reference-key';
import { ReferenceResolver } from '../reference/reference-resolver';
import { TransferError } from '../transfer-error';
import type { ExportCondition, ExportConditionGroup, ExportOptions } from './export-options';

/**
 * The criteria of an export. Unlike a search it may compare every visible field, as it reads the whole table anyway, and
 * knows references by their keys.
 * @throws TransferError for an unknown field, a missing value and an item that does not exist
 * @throws GantryError BAD_REQUEST for a value that does not fit its field
 */
export async function exportCriteria(scope: Scope, options: ExportOptions): Promise<readonly BoundCriterion[]> {
  const { type, where } = options;
  const conditions = await Promise.all(where.map((condition) => withIds(scope, condition, options)));
  const compared = type.fields.filter((field) => !isMadeByFunction(field));
  const { criteria, skipped } = parseCriteria(type, conditions, {
    allowed: fieldsByName(compared),
    types: scope.policy.types,
  });
  for (const { field, reason } of skipped) {
    if (reason === 'BLANK_VALUE') {
      throw new TransferError(`The condition on ${field} has no value.`, `Write --where "${field}=<value>".`);
    }
    const names = ['id', ...compared.map(({ name }) => name)];
    throw new TransferError(`${type.displayName} has no field ${field}.`, `Fields: ${names.join(', ')}.`);
  }
  return criteria;
}

type Condition = ExportCondition | ExportConditionGroup;

async function withIds(scope: Scope, condition: Condition, options: ExportOptions): Promise<Condition> {
  const each = (members: readonly Condition[]): Promise<readonly Condition[]> =>
    Promise.all(members.map((member) => withIds(scope, member, options)));
  if ('any' in condition) return { any: await each(condition.any) };
  return 'all' in condition ? { all: await each(condition.all) } : withId(scope, condition, options);
}

async function withId(
  scope: Scope,
  condition: ExportCondition,
  { type, database, ids }: ExportOptions,
): Promise<ExportCondition> {
  const { types } = scope.policy;
  const field = type.fields.find(({ name }) => name === condition.field);
  const target = field?.reference === undefined ? undefined : types.find(field.reference.target)?.descriptor;
  const key = target === undefined || ids ? undefined : referenceKeyOf(target, types);
  if (field === undefined || target === undefined || key === undefined) return condition;
  const [input] = readReferenceText(condition.value, { isList: false, key }) ?? [];
  if (input === undefined) return condition;
  const resolver = new ReferenceResolver((sql, values) => database.plugins.query(sql, values), '');
  const [resolution] = await resolver.resolve([{ field, target, key, input, context: new Map() }]);
  if (resolution !== undefined && 'id' in resolution) return { ...condition, value: resolution.id };
  throw new TransferError(
    `${resolution?.problem.message ?? condition.field}.`,
    'Correct the value of --where, or give an id and add --ids.',
  );
}
