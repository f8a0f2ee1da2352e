import { z } from 'zod';
import type { PluginCommand, RegisteredPlugin } from '@gantry/core-loader';
import { routesWith, type HostRoute, mayUse } from '@gantry/core-http';

export interface CommandServices {
  readonly plugins: () => readonly RegisteredPlugin[];
}

const commandValue = z.object({
  in: z.enum(['path', 'query', 'body']),
  name: z.string().describe('Of the parameter, or of the member of the body.'),
  isWhole: z.literal(true).exactOptional().describe('The value is the whole body.'),
  kind: z.enum(['text', 'number', 'boolean', 'json']),
  isList: z.literal(true).exactOptional().describe('It may be given several times.'),
  required: z.boolean(),
  choices: z.array(z.string()).exactOptional(),
  description: z.string().exactOptional(),
});

const pluginCommand = z
  .object({
    plugin: z.string().describe('Its id.'),
    name: z.string(),
    summary: z.string(),
    description: z.string().exactOptional(),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: z.string().describe('Of the route that the command calls, with parameters in braces.'),
    values: z.array(commandValue).describe('Arguments, for the parameters of the path, and options.'),
    needsKey: z.literal(true).exactOptional().describe('The request needs an `Idempotency-Key`.'),
  })
  .meta({
    id: 'PluginCommand',
    description: 'A call of a route of a plugin from the command line.',
  }) satisfies z.ZodType<PluginCommand>;

/** What `gantry call` offers. */
export const commandRoutes: readonly HostRoute<CommandServices>[] = [
  routesWith<CommandServices>()({
    method: 'GET',
    path: '/api/platform/commands',
    operationId: 'platformCommands',
    summary: 'The commands of plugins',
    description:
      'Those whose routes the caller may use. A plugin declares them in its manifest; `gantry call` runs them.',
    access: 'signed-in',
    answer: z.array(pluginCommand),
    handler: async ({ author: { principal } }, { plugins }) => ({
      data: plugins().flatMap(({ commands }) =>
        commands.filter(({ access }) => mayUse(access, undefined, principal.rights)).map(({ command }) => command),
      ),
    }),
  }),
];
