import type { PluginProblem } from '@gantry/contracts';
import { ownFields, type PluginDefinition } from '@gantry/plugin-api';
import type { Manifest } from '../manifest/manifest';
import { createProblem } from '../problem-kinds';

type Declared = Pick<Manifest, 'ui' | 'contributes'>;

/**
 * Controls and cells for fields that the plugin's own types do not have: they would never be shown. Types of other plugins
 * may have other fields in another version, or not be there.
 */
export function checkUiSlots(manifest: Declared, definition: PluginDefinition): readonly PluginProblem[] {
  const { ui } = manifest;
  if (ui === undefined) return [];
  const fieldsOf = new Map((definition.itemTypes ?? []).map((type) => [type.name.toLowerCase(), declaredNames(type)]));
  const kinds = new Set((definition.fieldKinds ?? []).map(({ name }) => `${definition.id}.${name}`));
  const slots = (['fields', 'cells', 'filters'] as const).flatMap((member) =>
    (ui[member] ?? []).flatMap((slot) => {
      if (kinds.has(slot)) return [];
      const [type = '', field = ''] = slot.split('.');
      const names = fieldsOf.get(type);
      if (names === undefined || names.has(field)) return [];
      const reason = `package.json names "${slot}" in gantry.ui.${member}, and ${type} has no field ${field}`;
      return [createProblem('CONTRIBUTION_MISMATCH', reason, `Its known fields are ${[...names].join(', ')}`)];
    }),
  );
  return [...slots, ...samePages(manifest)];
}

/** Pages of both kinds have the same addresses. */
function samePages({ ui, contributes: { tablePages = [] } }: Declared): readonly PluginProblem[] {
  return tablePages.flatMap(({ name }) => {
    if (ui?.pages.some(({ path }) => path === name) !== true) return [];
    const reason = `package.json names the page "${name}" in gantry.ui.pages and in gantry.contributes.tablePages`;
    return [createProblem('CONTRIBUTION_INVALID', reason, 'Give one of them another name')];
  });
}

/** Own fields and inherited ones. */
export function declaredNames(type: object): ReadonlySet<string> {
  const names = new Set<string>();
  for (let current: unknown = type; typeof current === 'function'; current = Object.getPrototypeOf(current)) {
    for (const { name } of ownFields(current)) names.add(name);
  }
  return names;
}
