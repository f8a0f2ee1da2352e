import { textOfName } from '../names';
import type { Files } from '../write-files';
import { packageJson, tsconfigJson } from './package-files';
import { fileOf, type Plugin } from './plugin';
import { indexFile } from './index-file';
import { readmeFile } from './readme-file';
import { serviceFiles } from './service-files';
import { testFile } from './test-file';
import { uiFiles } from './ui-files';

/** All files of a plugin by their paths. */
export function pluginFiles(plugin: Plugin): Files {
  const { inProject, itemType, service, pages } = plugin;
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
