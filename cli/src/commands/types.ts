import type { FormField, ItemMetadata, ModelInfo } from '@gantry/contracts';
import { itemMetadata, modelInfo, type ItemTypes } from '@gantry/host';
import { settingsOf, type CommandContext } from '../context/command-context';
import { platformAddress, readRoute } from '../context/running-platform';
import { withRemedy } from '../common/with-remedy';
import { table } from '../terminal/table';
import { reportUnusable, unknownType, withPlugins } from '../context/with-content';

/** `gantry types list` */
export async function listTypes(context: CommandContext): Promise<number> {
  const { terminal } = context;
  const types = await knownTypes(context);
  if (context.json) terminal.printJson(types);
  else {
    const rows = types.map(({ type, displayName, plugin, readOnly }) => [
      type,
      displayName,
      plugin,
      readOnly ? 'read-only' : '',
    ]);
    terminal.print(table(['TYPE', 'NAME', 'PLUGIN', ''], rows));
  }
  return 0;
}

/** `gantry types show <type>` */
export async function showType(context: CommandContext, code: string): Promise<number> {
  const { terminal } = context;
  const metadata = await knownMetadata(context, code);
  if (context.json) {
    terminal.printJson(metadata);
    return 0;
  }
  terminal.print(
    terminal.colours.bold(`${metadata.displayName} (${metadata.code})${metadata.readOnly ? ', read-only' : ''}`),
  );
  const searchable = new Set(metadata.searchable.map(({ name }) => name));
  const rows = metadata.fields.map((field) => [
    field.name,
    describeKind(field),
    describeRules(field, searchable.has(field.name)),
    field.displayName,
  ]);
  terminal.print(table(['FIELD', 'TYPE', 'RULES', 'LABEL'], rows));
  return 0;
}

async function knownTypes(context: CommandContext): Promise<readonly ModelInfo[]> {
  if (platformAddress(context) !== undefined) {
    return (await readRoute('GET', '/api/cms/items/types', {}, context)).data;
  }
  return withPlugins(context, settingsOf(context), ({ types, registry }) => {
    reportUnusable(context, registry);
    return Promise.resolve(types.all.map(({ descriptor }) => modelInfo(descriptor)));
  });
}

function missingThere(url: string, code: string): Error {
  return withRemedy(`There is no item type ${code} on ${url}.`, `List the types with: gantry types list --url ${url}`);
}

async function knownMetadata(context: CommandContext, code: string): Promise<ItemMetadata> {
  const address = platformAddress(context);
  if (address === undefined) {
    return metadataOnDisk(context, code, async ({ all }) => all.map(({ descriptor }) => descriptor.code));
  }
  const wanted = { path: { type: code } };
  const found: unknown = await readRoute('GET', '/api/cms/items/{type}/metadata', wanted, context);
  const answer = found as { readonly data: ItemMetadata } | undefined;
  if (answer !== undefined) return answer.data;
  if (context.url !== undefined) throw missingThere(context.url, code);
  const metadata = await metadataOnDisk(context, code, async () => (await knownTypes(context)).map(({ type }) => type));
  // The author of a plugin inspects its type before the running platform has it.
  context.terminal.note(
    `The platform at ${address} does not have this type; a new plugin is loaded at the next start, or with: gantry plugins enable`,
  );
  return metadata;
}

/** @param known codes to choose from where the plugins have no such type */
function metadataOnDisk(
  context: CommandContext,
  code: string,
  known: (types: ItemTypes) => Promise<readonly string[]>,
): Promise<ItemMetadata> {
  return withPlugins(context, settingsOf(context), async ({ types }) => {
    const type = types.find(code)?.descriptor;
    if (type === undefined) throw unknownType(code, await known(types), settingsOf(context));
    return itemMetadata(type);
  });
}

function describeKind({ type, numberKind, reference, referenceCardinality }: FormField): string {
  if (reference === '') return `${type} to no type`;
  if (reference !== undefined) return `${type} to ${referenceCardinality === 'MULTIPLE' ? 'many ' : ''}${reference}`;
  return numberKind === undefined ? type : `${type} (${numberKind})`;
}

function describeRules(field: FormField, isSearchable: boolean): string {
  const rules = [
    field.required ? 'required' : '',
    isSearchable ? 'searchable' : '',
    field.computed === true ? 'computed' : '',
    field.editableOnUpdate || field.computed === true ? '' : 'set on create only',
    field.onDelete === undefined ? '' : `onDelete ${field.onDelete}`,
    field.derivedFrom === undefined ? '' : `made from ${field.derivedFrom.join(', ')}`,
    field.options === undefined ? '' : field.options.join('|'),
    field.default === undefined ? '' : `default ${String(field.default)}`,
    field.min === undefined ? '' : `min ${field.min}`,
    field.max === undefined ? '' : `max ${field.max}`,
  ];
  return rules.filter(Boolean).join(', ');
}
