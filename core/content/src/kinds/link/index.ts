import type { FieldOptions } from '@gantry/plugin-api';
import { identifier, snakeCase } from '@gantry/core-database';
import type { FieldType } from '../field-type';
import { compileLinks } from '../links';
import { ruleProblems } from '../reference/deletion-rules';
import { linkKind, linksKind } from './link-kinds';

/** LINK: refers to an item, or a list of items, of any of several types. A table with a foreign key for each type keeps the links. */
export const fieldType: FieldType = {
  name: 'LINK',
  options: ['linkTargets', 'cardinality', 'onDelete'],
  makesColumn: true,
  trimsKeys: false,
  fitsDefault: () => false,
  problems: (options) => [
    ...(hasTargets(options) ? [] : ['is a LINK without linkTargets, the types that it may refer to']),
    ...ruleProblems(options),
  ],
  compile(declaration, report) {
    const { name, options, attribute } = declaration;
    if (attribute !== undefined) {
      report(`${name} is a LINK, whose column the platform makes; it must not have @Column`);
    }
    const isMultiple = options.cardinality === 'MULTIPLE';
    return {
      kind: isMultiple ? linksKind : linkKind,
      column: identifier(snakeCase(name)),
      columnType: 'JSONB',
      ...(isMultiple ? { multiple: true as const } : {}),
      ...compileLinks(declaration, report),
    };
  },
};

function hasTargets({ linkTargets = [] }: FieldOptions): boolean {
  return linkTargets.length > 0;
}
