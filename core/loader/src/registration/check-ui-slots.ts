import type { PluginProblem } from '@gantry/contracts';
import { ownFields, type PluginDefinition } from '@gantry/plugin-api';
import type { Manifest } from '../manifest/manifest';
import { createProblem } from '../problem-kinds';

/**
 * Controls and cells for fields that the plugin's own types do not have: they would never be shown. Types of other plugins
 * may have other fields in another version, or not be there.
 */
export function checkUiSlots({ ui }: Manifest, definition: PluginDefinition): readonly PluginProblem[] {
  if (ui === undefined) return [];
  const fieldsOf = new Map((definition.itemTypes ?? []).map((type) => [type.name.toLowerCase(), declaredNames(type)]));
  const kinds = new Set((definition.fieldKinds ?? []).map(({ name }) => `${definition.id}.${name}`));
  return (['fields', 'cells', 'filters'] as const).flatMap((member) =>
    (ui[member] ?? []).flatMap((slot) => {
      if (kinds.has(slot)) return [];
      const [type = '', field = ''] = slot.split('.');
      const names = fieldsOf.get(type);
      if (names === undefined || names.has(field)) return [];
      const reason = `package.json names "${slot}" in gantry.ui.${member}, and ${type} has no field ${field}`;
      return [createProblem('CONTRIBUTION_MISMATCH', reason, `Its known fields are ${[...names].join(', ')}`)];
    }),
  );
}

/** Own fields and inherited ones. */
export function declaredNames(type: object): ReadonlySet<string> {
  const names = new Set<string>();
  for (let current: unknown = type; typeof current === 'function'; current = Object.getPrototypeOf(current)) {
    for (const { name } of ownFields(current)) names.add(name);
  }
  return names;
}
