import { furtherOperators, operators, type ErrorDetail, type Grant, type GrantCondition } from '@gantry/contracts';
import {
  type ItemTypeDescriptor,
  type ItemTypes,
  comparableField,
  operatorOf,
  operatorsOf,
} from '@gantry/core-content';
import { notConforming } from '@gantry/core-http';

/**
 * Refuses an operator that neither the platform nor the kind of the field has. A condition on a type or field that is not known now is
 * kept: its plugin may be enabled later, and until then no item meets it.
 * @param pathOf what is before the path of a role in messages
 * @throws GantryError VALIDATION_FAILED that names each of them
 */
export function assertOperators(
  roles: readonly { readonly grants: readonly Grant[] }[],
  types: ItemTypes,
  pathOf: (index: number) => string = () => '',
): void {
  const problems = roles.flatMap(({ grants }, index) =>
    grants.flatMap(({ on, where = [] }, position) => {
      const type = typeof on === 'string' || on.type === undefined ? undefined : types.find(on.type)?.descriptor;
      if (type === undefined || typeof on === 'string' || type.plugin !== on.plugin) return [];
      return problemsIn(where, type, `${pathOf(index)}grants[${position}].where`);
    }),
  );
  if (problems.length > 0) throw notConforming(problems);
}

function problemsIn(
  conditions: readonly GrantCondition[],
  type: ItemTypeDescriptor,
  path: string,
): readonly ErrorDetail[] {
  return conditions.flatMap((condition, index) => {
    const own = `${path}[${index}]`;
    if ('any' in condition) return problemsIn(condition.any, type, `${own}.any`);
    if ('all' in condition) return problemsIn(condition.all, type, `${own}.all`);
    const { field: name, operator } = condition;
    const field = comparableField(type, name);
    if (field === undefined || ofPlatform.has(operator) || operatorOf(field.kind, operator) !== undefined) return [];
    const known = operatorsOf(field.kind).join(', ');
    const message = `${own}.operator: ${name} has no operator ${operator}; it has ${known}`;
    return [{ path: `${own}.operator`, code: 'VALUE_INVALID', message }];
  });
}

const ofPlatform: ReadonlySet<string> = new Set([...operators, ...furtherOperators]);
