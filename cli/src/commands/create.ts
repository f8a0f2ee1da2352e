import { relative } from 'node:path';
import { createPlugin, createProject, describeProject, itemTypeOf, type CreatedPlugin } from 'create-gantry';
import type { CommandContext } from '../context/command-context';
import { ask, isAskable } from '../terminal/ask';

/** `gantry init [folder]` */
export async function initProject(
  { terminal, json }: CommandContext,
  folder: string,
  install: boolean,
): Promise<number> {
  const project = await createProject({ folder, install });
  if (json) terminal.printJson(project);
  else terminal.print(describeProject(project));
  return 0;
}

/** The features of a new plugin that the command line names. */
export interface PluginFeatures {
  readonly itemType: string | undefined;
  readonly routes: boolean;
  readonly service: boolean;
  readonly pages: boolean;
}

/** `gantry plugins create <id>`: features that the command line leaves open are asked for in a terminal. */
export async function createNamedPlugin(
  { terminal, json }: CommandContext,
  id: string,
  given: PluginFeatures,
  install: boolean,
): Promise<number> {
  const isGiven = given.itemType !== undefined || given.routes || given.service || given.pages;
  const usual: PluginFeatures = { ...given, itemType: itemTypeOf(id) };
  const asks = !isGiven && !json && isAskable(terminal);
  const named = isGiven ? given : usual;
  const parts = asks ? await askForParts({ terminal }, usual) : named;
  const { itemType, ...others } = parts;
  const created = await createPlugin({
    id,
    ...(itemType === undefined ? {} : { itemType }),
    ...others,
    install,
    folder: '.',
  });
  if (json) terminal.printJson(created);
  else terminal.print(describe(id, created));
  return 0;
}

function askForParts({ terminal }: Pick<CommandContext, 'terminal'>, usual: PluginFeatures): Promise<PluginFeatures> {
  return ask(terminal, async (question) => {
    const yes = async (text: string): Promise<boolean> => /^y(es)?$/i.test(await question(`${text} [y/N] `));
    const itemType = await question(`Item type, as a class; - for none [${usual.itemType}] `);
    return {
      itemType: itemType === '-' ? undefined : itemType || usual.itemType,
      routes: await yes('Routes?'),
      service: await yes('A Temporal service with a workflow?'),
      pages: await yes('Pages?'),
    };
  });
}

function describe(id: string, { folder, project, isInstalled, manager }: CreatedPlugin): string {
  const path = relative('.', folder);
  const install = project === undefined ? `cd ${path} && ${manager} install` : `${manager} install`;
  const steps = [
    ...(isInstalled ? [] : [install]),
    project === undefined
      ? `cd ${path} && npm run dev      a platform with the plugin, which restarts with it on every save`
      : `npm start                      the platform, with the plugin`,
    ...(project === undefined
      ? []
      : [`cd ${path} && npm run dev      the same, restarted with the plugin on every save`]),
    `cd ${path} && npm test         its tests, among them the contract test of plugins`,
  ];
  return [`The plugin ${id} is in ${path}. Next:`, ...steps.map((step) => `  ${step}`)].join('\n');
}
