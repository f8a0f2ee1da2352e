import { SetupError } from './setup-error';

/** `Recipe` for `recipes`: the class of the items that a plugin with this id is likely to have. */
export function itemTypeOf(id: string): string {
  const singular = id.replace(/ies$/, 'y').replace(/(?<=..)s$/, '');
  return singular
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `Test drive` for `TestDrive`, `Test drives` for `test-drives`. */
export function textOfName(name: string): string {
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .replaceAll('-', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @throws SetupError for a text that no plugin can have as its id */
export function assertPluginId(id: string): void {
  if (/^[a-z][a-z0-9-]{1,39}$/.test(id) && !reservedIds.includes(id)) return;
  const message = `The id of a plugin has 2 to 40 of a-z, 0-9 and "-", begins with a letter, and is not one of the platform's own; found "${id}".`;
  throw new SetupError(message, 'Choose another one, such as: gantry plugins create recipes');
}

/** @throws SetupError for a text that cannot be the class of an item type */
export function assertItemType(name: string): void {
  if (/^[A-Z][A-Za-z0-9]{0,39}$/.test(name) && !reservedClasses.includes(name)) return;
  const message = `An item type is named as a class, by 1 to 40 letters and digits, the first a capital letter; found "${name}".`;
  throw new SetupError(message, 'Choose another one, such as: --item-type Recipe');
}

/** A name that npm accepts for the package of a project. */
export function packageNameOf(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[-._]+|[-._]+$/g, '');
  return name === '' ? 'gantry-platform' : name;
}

const reservedIds: readonly string[] = ['gantry', 'host', 'users', 'audit', 'plugins', 'metrics', 'webhooks'];
/** Classes that the generated code imports or that JavaScript has, and the type code of the list of types. */
const reservedClasses: readonly string[] = [
  'BaseItem',
  'Field',
  'ItemType',
  'Types',
  'Client',
  'Object',
  'String',
  'Number',
  'Boolean',
  'Array',
  'Function',
  'Symbol',
  'Reflect',
  'Promise',
  'Error',
  'Date',
];
