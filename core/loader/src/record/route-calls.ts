import type { ContributedViews, HomeCard, TablePage } from '@gantry/contracts';
import type { Immutable, RouteAccess } from '@gantry/plugin-api';
import { z } from 'zod';

/** An argument of a command, for a parameter of the path; or an option, for one of the query or a member of the body. */
const commandValue = z.object({
  in: z.enum(['path', 'query', 'body']),
  name: z.string().describe('Name of the parameter or of the member of the body.'),
  isWhole: z.literal(true).exactOptional().describe('True for a value that is the whole body.'),
  // How the text of the command line is sent: `json` is the text of any JSON, for values that are no scalars.
  kind: z.enum(['text', 'number', 'boolean', 'json']),
  isList: z.literal(true).exactOptional().describe('True for a value that may be given several times.'),
  required: z.boolean(),
  choices: z.array(z.string()).exactOptional(),
  description: z.string().exactOptional(),
});

export type CommandValue = Immutable<z.infer<typeof commandValue>>;

/** A command of a plugin: how its arguments and options become a request to a route of the plugin. */
export const pluginCommand = z
  .object({
    plugin: z.string().describe('Id of the plugin.'),
    name: z.string(),
    summary: z.string(),
    description: z.string().exactOptional(),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: z.string().describe('Path of the route that the command calls, with parameters in braces.'),
    // Arguments of the path first, in its order.
    values: z.array(commandValue).describe('Arguments (the parameters of the path) and options.'),
    needsKey: z.literal(true).exactOptional().describe('True if the request needs an `Idempotency-Key`.'),
  })
  .meta({ id: 'PluginCommand', description: 'A command of a plugin, which calls one of its routes.' });

export type PluginCommand = Immutable<z.infer<typeof pluginCommand>>;

/** A command, and who may use it: the callers of its route. */
export interface RegisteredCommand {
  readonly command: PluginCommand;
  readonly access: RouteAccess | undefined;
}

const rowMember = z
  .object({
    name: z.string(),
    title: z.string(),
    kind: z.enum(['text', 'number', 'boolean', 'instant']),
  })
  .meta({ id: 'RowMember', description: 'A member of the rows that a route returns.' });

const contributedView = z.object({
  plugin: z.string().describe('Id of the plugin.'),
  pluginName: z.string(),
  name: z.string(),
  title: z.string(),
  path: z.string().describe('Path of the route that returns the rows.'),
});

const homeCard = contributedView
  .extend({
    text: rowMember,
    value: rowMember.exactOptional(),
    link: z.string().exactOptional().describe('Address below `/admin`; a member of the row in braces.'),
  })
  .meta({ id: 'HomeCard', description: 'A card of the home page.' });

const tablePage = contributedView
  .extend({
    icon: z.string(),
    columns: z.array(rowMember),
    actions: z.array(z.string()).describe('Names of commands.'),
  })
  .meta({ id: 'TablePage', description: 'A page that is a table, with commands as buttons.' });

/** Cards and pages for one caller. */
export const contributedViews = z.object({
  homeCards: z.array(homeCard),
  tablePages: z.array(tablePage),
}) satisfies z.ZodType<ContributedViews>;

/** A card of the home page, and who sees it: the callers of its route. */
export interface RegisteredHomeCard extends Pick<RegisteredCommand, 'access'> {
  readonly card: HomeCard;
}

/** A page, and who sees it: the callers of its route. */
export interface RegisteredTablePage extends Pick<RegisteredCommand, 'access'> {
  readonly page: TablePage;
}

/** Contributions that are made of routes. */
export interface RouteCalls {
  readonly commands: readonly RegisteredCommand[];
  readonly homeCards: readonly RegisteredHomeCard[];
  readonly tablePages: readonly RegisteredTablePage[];
}
