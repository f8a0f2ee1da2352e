import type { CommandContribution, PluginProblem } from '@gantry/contracts';
import type { Manifest } from '../manifest/manifest';
import { createProblem } from '../problem-kinds';
import type { RegisteredCommand } from '../record/plugin-command';
import type { RegisteredRoute } from '../record/registered-plugin';
import { commandValues } from './command-values';

type Declaring = Pick<Manifest, 'id' | 'contributes'>;

/** The commands that a manifest declares, with what they send to the routes that the code has registered. */
export function commandsOf({ id, contributes: { commands = [] } }: Declaring, routes: readonly RegisteredRoute[]) {
  const found: RegisteredCommand[] = [];
  const problems: PluginProblem[] = [];
  for (const command of commands) {
    const route = routes.find((one) => isCalled(one, command));
    if (route === undefined) problems.push(unknownRoute(command, routes));
    else if (readsFileOnly(route)) problems.push(takesFile(command));
    else found.push(commandOf(id, command, route));
  }
  return { commands: found, problems };
}

function isCalled({ method, path, contract }: RegisteredRoute, { route }: CommandContribution): boolean {
  return contract?.operationId === route || `${method} ${path}` === route;
}

function readsFileOnly({ options, schemas }: RegisteredRoute): boolean {
  return typeof options.body === 'object' && schemas.body === undefined;
}

function commandOf(plugin: string, { name }: CommandContribution, route: RegisteredRoute): RegisteredCommand {
  const { method, path, options, contract } = route;
  return Object.freeze({
    access: options.access,
    command: {
      ...{ plugin, name, summary: options.summary ?? `${method} ${path}` },
      ...(contract?.description === undefined ? {} : { description: contract.description }),
      ...{ method, path: path.replaceAll(/:(\w+)/g, '{$1}'), values: commandValues(route) },
      ...(contract?.idempotency === 'required' ? { needsKey: true as const } : {}),
    },
  });
}

/** Names that a message shows. */
const maxShown = 10;

function unknownRoute({ name, route }: CommandContribution, routes: readonly RegisteredRoute[]): PluginProblem {
  const names = routes.map(({ method, path, contract }) => contract?.operationId ?? `${method} ${path}`);
  const more = names.length - maxShown;
  const known =
    names.length === 0
      ? 'the plugin has no routes'
      : `the plugin has ${names.slice(0, maxShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return createProblem(
    'COMMAND_INVALID',
    `The command "${name}" calls the route "${route}", which the code does not register; ${known}`,
    'Name the operationId of a route, or its method and path, in gantry.contributes.commands of package.json',
  );
}

function takesFile({ name, route }: CommandContribution): PluginProblem {
  return createProblem(
    'COMMAND_INVALID',
    `The command "${name}" calls the route "${route}", which takes a file; commands send JSON`,
    'Remove the command from gantry.contributes.commands of package.json, or let it call another route',
  );
}
