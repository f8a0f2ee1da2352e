import type { PluginProblem, RouteContributions } from '@gantry/contracts';
import type { CompiledRoute } from '../../record/registered-plugin';
import type { RouteCalls } from '../../record/route-calls';
import { commandOf } from './commands';
import { homeCardOf, tablePageOf } from './views';

/** Commands, cards and pages over the routes that the code has registered, and problems of those that do not fit them. */
export function routeCallsOf(
  { id: plugin, displayName: pluginName }: { readonly id: string; readonly displayName: string },
  declared: RouteContributions,
  routes: readonly CompiledRoute[],
): RouteCalls & { readonly problems: readonly PluginProblem[] } {
  const owner = { plugin, pluginName };
  const problems: PluginProblem[] = [];
  const kept = <T extends object>(results: readonly (T | readonly PluginProblem[])[]): readonly T[] =>
    results.flatMap((result) => {
      if (!isProblems(result)) return [result];
      problems.push(...result);
      return [];
    });
  const commands = kept((declared.commands ?? []).map((one) => commandOf(plugin, one, routes)));
  const homeCards = kept((declared.homeCards ?? []).map((one) => homeCardOf(owner, one, routes)));
  const tablePages = kept((declared.tablePages ?? []).map((one) => tablePageOf(owner, one, routes, commands)));
  return { commands, homeCards, tablePages, problems };
}

function isProblems(result: object): result is readonly PluginProblem[] {
  return Array.isArray(result);
}
