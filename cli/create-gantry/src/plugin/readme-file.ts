import { fileOf, type Plugin } from './plugin';

export function readmeFile(plugin: Plugin): string {
  const { id, displayName, inProject } = plugin;
  const pin = inProject
    ? `The platform of this project uses the plugin: \`npm start\` in the folder of the project.`
    : `\`npm run dev\` runs a platform with this plugin, in the folder \`.gantry\` of this one.`;
  return `# ${displayName}

A plugin of the Gantry platform.

| command | what it does |
| --- | --- |
| \`npm run dev\` | runs the platform, builds the plugin on every save and restarts the platform with it |
| \`npm run build\` | compiles \`src\` to \`dist\` |
| \`npm test\` | builds, and runs the tests in \`test\`, among them the contract test of plugins |

${pin}

${files(plugin)}

What a plugin registers and what its \`package.json\` names under \`gantry.contributes\` must be the same: with a new item type, route or
task queue, change both.

## Ship it

\`npm publish\` makes it a package that others install in their project: \`npm install gantry-plugin-${id}\`. Or put the folder, built, into
the folder \`plugins\` of a project.
`;
}

function files({ itemType, service, pages }: Plugin): string {
  return [
    '| file | what it is |',
    '| --- | --- |',
    '| `package.json` | the manifest, under `gantry` |',
    '| `src/index.ts` | the definition, with its routes |',
    ...(itemType === undefined ? [] : [`| \`src/${fileOf(itemType)}.ts\` | the item type |`]),
    ...(service
      ? ['| `src/workflows.ts`, `src/activities.ts` | the Temporal service; `bundle.mjs` bundles the workflows |']
      : []),
    ...(pages ? ['| `ui/` | the pages, built by Vite |'] : []),
    '| `test/` | its tests |',
  ].join('\n');
}
