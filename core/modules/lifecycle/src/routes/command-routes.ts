import { z } from 'zod';
import { pluginCommand, type RegisteredPlugin } from '@gantry/core-loader';
import { routesWith, type HostRoute, mayUse } from '@gantry/core-http';

export interface CommandServices {
  readonly plugins: () => readonly RegisteredPlugin[];
}

/** Commands of `gantry call`. */
export const commandRoutes: readonly HostRoute<CommandServices>[] = [
  routesWith<CommandServices>()({
    method: 'GET',
    path: '/api/platform/commands',
    operationId: 'platformCommands',
    summary: 'The commands of plugins',
    description:
      'Commands whose routes the caller may use. A plugin declares them in its manifest; `gantry call` runs them.',
    access: 'signed-in',
    answer: z.array(pluginCommand),
    handler: async ({ author: { principal } }, { plugins }) => ({
      data: plugins().flatMap(({ commands }) =>
        commands.filter(({ access }) => mayUse(access, undefined, principal.rights)).map(({ command }) => command),
      ),
    }),
  }),
];
