import type { FieldOptions } from '@gantry/plugin-api';
import type { ReferenceDescriptor } from '../field-rules';
import { identifier, snakeCase } from '@gantry/core-database';
import { typeCode } from '../../naming';
import type { FieldKind } from '../field-kind';
import type { Declaration, FieldType } from '../field-type';
import { deletionRuleProblems } from './deletion-rules';
import { referenceKind, referencesKind, targetlessKind, targetlessListKind } from './reference-kinds';

export { maximumReferences, readId } from './reference-kinds';

/** REFERENCE: a foreign key, or a link table where it refers to several items. */
export const fieldType: FieldType = {
  name: 'REFERENCE',
  options: ['targetEntity', 'cardinality', 'onDelete'],
  makesColumn: true,
  trimsKeys: false,
  fitsDefault: () => false,
  problems: (options) => [
    ...(options.targetEntity === undefined && options.required === true
      ? ['is a required REFERENCE without targetEntity, which could never have a value']
      : []),
    ...deletionRuleProblems(options),
  ],
  compile(declaration, report) {
    const { name, options, attribute } = declaration;
    const reference = compileReference(declaration, report);
    if (attribute !== undefined) {
      report(`${name} is a REFERENCE, whose column the platform makes; it must not have @Column`);
    }
    if (reference?.linkTable !== undefined) return { kind: referencesKind, column: '', columnType: '', reference };
    return {
      kind: reference === undefined ? kindWithoutTarget(options) : referenceKind,
      column: attribute?.field ?? referenceColumn(name),
      columnType: 'BIGINT',
      ...(reference === undefined ? {} : { reference }),
    };
  },
};

/** The column of a reference to one item. */
export function referenceColumn(name: string): string {
  return identifier(`${snakeCase(name)}_id`);
}

function compileReference(
  { name, options, table, resolveTarget }: Declaration,
  report: (problem: string) => void,
): ReferenceDescriptor | undefined {
  if (options.targetEntity === undefined) return undefined;
  const target = resolveTarget(options.targetEntity);
  if ('problem' in target) {
    report(`the target of ${name} is ${target.problem}`);
    return undefined;
  }
  const { cardinality = 'SINGLE', onDelete = 'restrict' } = options;
  return {
    target: typeCode(target.className),
    qualifiedName: `${target.plugin}.${target.className}`,
    cardinality,
    ...(onDelete === 'restrict' ? {} : { onDelete }),
    ...(cardinality === 'MULTIPLE' ? { linkTable: identifier(table, snakeCase(name)) } : {}),
  };
}

/** One without target is of the base type (specification, section 3), which means that it never has a value. */
function kindWithoutTarget({ cardinality }: FieldOptions): FieldKind {
  return cardinality === 'MULTIPLE' ? targetlessListKind : targetlessKind;
}
