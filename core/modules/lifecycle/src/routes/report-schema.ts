import {
  namedContributions,
  pluginPhases,
  pluginStates,
  type NamedContribution,
  type StartupReport,
} from '@gantry/contracts';
import { z } from 'zod';
import { permission } from '@gantry/core-http';
import { installedPackage } from '@gantry/core-loader';

const texts = z.array(z.string());
const optionalTexts = texts.exactOptional();
const optionalText = z.string().exactOptional();
const call = z.object({ name: z.string(), route: z.string() });
const namedLists = Object.fromEntries(Object.keys(namedContributions).map((name) => [name, optionalTexts])) as Readonly<
  Record<NamedContribution, typeof optionalTexts>
>;

const pluginUi = z.object({
  apiVersion: z.number(),
  address: z.string().exactOptional().describe('URL of the built module. Absent while it is not served.'),
  pages: z.array(z.object({ path: z.string(), title: z.string(), icon: z.string() })),
  fields: texts,
  cells: texts,
  filters: texts.exactOptional(),
  itemActions: z.array(z.object({ type: z.string(), name: z.string(), title: z.string() })),
  problem: z.object({ code: z.string(), reason: z.string(), remedy: z.string() }).exactOptional(),
});

const pluginReport = z.object({
  id: z.string(),
  displayName: z.string(),
  packageName: z.string(),
  version: z.string(),
  folder: z.string(),
  state: z.enum(pluginStates),
  phase: z.enum(pluginPhases).describe('The last phase that was entered.'),
  problems: z.array(
    z.object({ phase: z.enum(pluginPhases), code: z.string(), reason: z.string(), remedy: z.string() }),
  ),
  notes: texts.exactOptional().describe('Warnings; none prevents the plugin from running.'),
  dependsOn: z.record(z.string(), z.string()),
  contributes: z.object({
    itemTypes: texts,
    ...namedLists,
    taskQueues: texts,
    routes: texts,
    permissions: z.array(permission).exactOptional(),
    commands: z.array(call).exactOptional(),
    homeCards: z
      .array(call.extend({ title: z.string(), text: z.string(), value: optionalText, link: optionalText }))
      .exactOptional(),
    tablePages: z
      .array(call.extend({ title: z.string(), icon: optionalText, columns: optionalTexts, actions: optionalTexts }))
      .exactOptional(),
  }),
  ui: pluginUi.exactOptional().describe('Pages, controls and actions that the plugin adds to the admin pages.'),
  systemScope: z.string().exactOptional().describe('The reason for which its routes may use the system scope.'),
  installed: installedPackage.exactOptional(),
  timings: z
    .partialRecord(z.enum(pluginPhases), z.number())
    .describe('Duration of each phase that was entered, in milliseconds.'),
});

/** The result of a start. */
export const startupReport = z
  .object({
    plugins: z.array(pluginReport),
    schemaDifferences: z
      .array(z.object({ table: z.string(), plugin: z.string(), description: z.string(), statement: z.string() }))
      .describe('Differences between item types and tables, which a migration must remove.'),
    readyAfter: z.number().describe('Milliseconds.'),
  })
  .meta({ id: 'StartupReport', description: 'The start-up report.' }) satisfies z.ZodType<StartupReport>;
