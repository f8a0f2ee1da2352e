import { fieldTypes, furtherFieldTypes, uiApiVersion, type PluginUi } from '@gantry/contracts';
import { z } from 'zod';
import { boundedList } from './bounded-list';
import { iconName, pageTitle } from './contribution-names';

/** The member `gantry.ui` of a manifest: what the plugin adds to the admin pages. */
export interface UiManifest extends Pick<
  PluginUi,
  'apiVersion' | 'pages' | 'fields' | 'cells' | 'filters' | 'itemActions'
> {
  /** Path of the built module from the package's folder; the folder that contains it is served completely. */
  readonly entry: string;
}

const segments = String.raw`[a-z0-9][a-z0-9-]*`;
const entry = z.string().regex(/^(?:\.\/)?(?:(?!\.{1,2}\/)[\w@.-]+\/)+[\w@.-]+\.m?js$/, {
  error: 'must be a .js or .mjs file in a folder of the package, such as ./dist/ui/index.js',
});
const page = z.strictObject({
  path: z.string().regex(new RegExp(`^(?:${segments}(?:/${segments})*)?$`), {
    error: 'must be words of a-z, 0-9 and - with / between them, or empty for the first page',
  }),
  title: pageTitle,
  icon: iconName.default('plug'),
});
const typeCode = String.raw`[a-z][a-z0-9_]*`;
const knownTypes = [...fieldTypes, ...furtherFieldTypes];
const fieldKind = '[a-z][a-z0-9-]*[.][A-Z][A-Za-z0-9]*';
const slot = z
  .string()
  .regex(new RegExp(`^(?:${knownTypes.join('|')}|${fieldKind}|${typeCode}[.][A-Za-z_][A-Za-z0-9_]*)$`), {
    error: `must be a field of a type such as product.price, a field kind of a plugin such as geo.Point, or a field type: ${knownTypes.join(', ')}`,
  });
const itemAction = z.strictObject({
  type: z.string().regex(new RegExp(`^${typeCode}$`), { error: 'must be a type code such as product' }),
  name: z.string().regex(/^[a-z][A-Za-z0-9-]*$/, { error: 'must be a word that begins with a lower-case letter' }),
  title: pageTitle,
});

export const uiSchema = z.strictObject({
  apiVersion: z.int().min(1, { error: 'must be a whole number from 1' }),
  entry,
  pages: unique(page, 100, ({ path }) => path),
  fields: unique(slot, 1_000, String),
  cells: unique(slot, 1_000, String),
  filters: unique(slot, 1_000, String).transform((slots) => (slots.length === 0 ? undefined : slots)),
  itemActions: unique(itemAction, 500, ({ type, name }) => `${type}.${name}`),
});

/**
 * Takes `ui` out of a manifest that was written for another version of the UI API: its members cannot be judged here,
 * and the rest of the plugin works without its pages.
 */
export function splitUnsupportedUi(gantry: unknown): { readonly gantry: unknown; readonly foreign?: UiManifest } {
  if (typeof gantry !== 'object' || gantry === null || !('ui' in gantry)) return { gantry };
  const { ui, ...rest } = gantry;
  const apiVersion: unknown = typeof ui === 'object' && ui !== null && 'apiVersion' in ui ? ui.apiVersion : undefined;
  if (typeof apiVersion !== 'number' || !Number.isInteger(apiVersion) || apiVersion < 1) return { gantry };
  if (apiVersion === uiApiVersion) return { gantry };
  return { gantry: rest, foreign: { apiVersion, entry: '', pages: [], fields: [], cells: [], itemActions: [] } };
}

function unique<T>(element: z.ZodType<T>, max: number, key: (value: T) => string) {
  return boundedList(element, max)
    .refine((values) => new Set(values.map(key)).size === values.length, {
      error: 'must not name the same thing twice',
    })
    .default([]);
}
