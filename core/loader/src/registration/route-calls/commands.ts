import type { CommandContribution, PluginProblem } from '@gantry/contracts';
import type { RegisteredCommand } from '../../record/route-calls';
import type { CompiledRoute } from '../../record/registered-plugin';
import { findCalled, unfitRoute, unknownRoute, type Calling } from './called-route';
import { commandValues } from './command-values';

/** The command that a manifest declares, with what it sends to its route. */
export function commandOf(
  plugin: string,
  command: CommandContribution,
  routes: readonly CompiledRoute[],
): RegisteredCommand | readonly PluginProblem[] {
  const calling: Calling = { what: `command "${command.name}"`, route: command.route, list: 'commands' };
  const route = findCalled(routes, calling);
  if (route === undefined) return [unknownRoute(calling, routes)];
  const { method, path, options, schemas, contract } = route;
  if (typeof options.body === 'object' && schemas.body === undefined) {
    const remedy = 'Remove the command from gantry.contributes.commands of package.json, or let it call another route';
    return [unfitRoute(calling, 'takes a file; commands send JSON', remedy)];
  }
  return Object.freeze({
    access: options.access,
    command: {
      ...{ plugin, name: command.name, summary: options.summary ?? `${method} ${path}` },
      ...(contract?.description === undefined ? {} : { description: contract.description }),
      ...{ method, path: path.replaceAll(/:(\w+)/g, '{$1}'), values: commandValues(route) },
      ...(contract?.idempotency === 'required' ? { needsKey: true as const } : {}),
    },
  });
}
