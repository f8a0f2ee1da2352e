import type { PluginOptions } from '../create-plugin';
import { itemTypeOf, textOfName } from '../names';
import type { Files } from '../write-files';
import { packageJson, tsconfigJson } from './package-files';
import { indexFile } from './index-file';
import { readmeFile } from './readme-file';
import { serviceFiles } from './service-files';
import { testFile } from './test-file';
import { uiFiles } from './ui-files';

/** What the files of a plugin are made from. */
export interface Plugin extends Pick<PluginOptions, 'id' | 'itemType' | 'routes' | 'service' | 'pages'> {
  readonly displayName: string;
  /** Whether it is made within a project, whose packages it uses. */
  readonly inProject: boolean;
}

export function pluginFiles(options: PluginOptions, inProject: boolean): Files {
  const plugin: Plugin = { ...options, displayName: textOfName(options.id), inProject };
  const { itemType, service, pages } = plugin;
  return {
    'package.json': packageJson(plugin),
    'tsconfig.json': tsconfigJson(),
    ...(inProject ? {} : { '.gitignore': 'node_modules/\ndist/\n.gantry/\n' }),
    'README.md': readmeFile(plugin),
    'src/index.ts': indexFile(plugin),
    ...(itemType === undefined ? {} : { [`src/${fileOf(itemType)}.ts`]: itemTypeFile(itemType) }),
    ...(service ? serviceFiles(plugin) : {}),
    ...(pages ? uiFiles(plugin) : {}),
    'test/plugin.test.mjs': testFile(plugin),
  };
}

/** `test-drive` for `TestDrive`. */
export function fileOf(itemType: string): string {
  return textOfName(itemType).toLowerCase().replaceAll(' ', '-');
}

/** The workflow type of the generated service: `recipeGreeting` for `recipes`. */
export function workflowOf(id: string): string {
  const name = itemTypeOf(id);
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}Greeting`;
}

function itemTypeFile(itemType: string): string {
  return `import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

@ItemType({ displayName: '${textOfName(itemType)}', columns: ['name', 'state', 'price'], searchResult: { label: 'name', subLabel: 'state' } })
export class ${itemType} extends BaseItem {
  @Field({ displayName: 'Name', searchable: true, required: true, maxLength: 100 })
  declare name: string;

  @Field({ displayName: 'State', options: ['DRAFT', 'DONE'], default: 'DRAFT', searchable: true })
  declare state: 'DRAFT' | 'DONE' | null;

  // Decimals are text, because a JavaScript number cannot hold every digit.
  @Field({ displayName: 'Price', type: 'NUMBER', column: 'DECIMAL(10,2)', min: 0, searchable: true })
  declare price: string | null;

  @Field({ displayName: 'Notes', type: 'TEXT' })
  declare notes: string | null;
}
`;
}
