import type { FieldLinks, FieldOptions, LinkTarget } from '@gantry/plugin-api';
import { findRepeated } from '@gantry/core-common';
import { identifier, snakeCase } from '@gantry/core-database';
import { typeCode } from '../naming';
import type { CompiledField, Declaration } from './field-type';

/** Problems of `linkTargets` and `onDelete` of a field whose values can have links: sentences that continue its name. */
export function linkProblems({ linkTargets, onDelete, editableOnUpdate }: FieldOptions): readonly string[] {
  if (onDelete === undefined || onDelete === 'restrict') return [];
  return [
    ...(linkTargets === undefined ? ['it has no linkTargets'] : []),
    ...(onDelete === 'removeLink' ? [] : ['links within a value can only be removed; use removeLink or restrict']),
    ...(editableOnUpdate === false ? ['it cannot be changed after the item is created (editableOnUpdate)'] : []),
  ].map((reason) => `has onDelete ${onDelete}, but ${reason}`);
}

/** @param report takes sentences about what is wrong with the field */
export function compileLinks(
  { name, options: { linkTargets, onDelete }, table, resolveTarget }: Declaration,
  report: (problem: string) => void,
): Pick<CompiledField, 'links'> {
  if (linkTargets === undefined) return {};
  const targets = linkTargets.flatMap((entity): FieldLinks['targets'] => {
    const target = resolveTarget(entity);
    if ('problem' in target) {
      report(`${name} may not link to a target: it is ${target.problem}`);
      return [];
    }
    const code = typeCode(target.className);
    const { earlierCodes = [] } = target;
    return [
      { target: code, qualifiedName: `${target.plugin}.${target.className}`, column: linkColumn(code), earlierCodes },
    ];
  });
  for (const code of findRepeated(targets.map(({ target }) => target))) {
    report(`${name} has ${code} in linkTargets twice`);
  }
  return {
    links: {
      table: linksTable(table, name),
      targets,
      ...(onDelete === undefined || onDelete === 'restrict' ? {} : { onDelete }),
    },
  };
}

/** The table of the links of a field. */
export function linksTable(itemTable: string, field: string): string {
  return identifier(itemTable, snakeCase(field), 'links');
}

/** Its column for the links to items of a type. */
export function linkColumn(code: string): string {
  return identifier('to', code);
}

/** Whether a link names the type, by its code of today or an earlier one. */
export function isOf({ target, earlierCodes }: LinkTarget, type: string): boolean {
  return target === type || earlierCodes.includes(type);
}
