import type { ContributedViews } from '@gantry/contracts';
import { contributedViews, pluginCommand, type RegisteredCommand, type RouteCalls } from '@gantry/core-loader';
import { z } from 'zod';
import { mayUse } from '../exchange/caller/may-use';
import { routesWith, type HostRoute } from '../exchange/host-routes';
import type { Rights } from '../ports/rights';

export interface ContributedServices {
  /** Of modules and of the plugins in use. */
  readonly calls: () => readonly RouteCalls[];
}

const route = routesWith<ContributedServices>();

/** Contributions that are made of routes. */
export const contributedRoutes: readonly HostRoute<ContributedServices>[] = [
  route({
    method: 'GET',
    path: '/api/platform/commands',
    operationId: 'platformCommands',
    summary: 'List the commands of plugins',
    description:
      'Only commands whose routes the caller may use. A plugin declares commands in its manifest; `gantry call` runs them.',
    access: 'signed-in',
    answer: z.array(pluginCommand),
    handler: async ({ author: { principal } }, { calls }) => ({
      data: usable(
        calls().flatMap(({ commands }) => commands),
        principal.rights,
      ).map(({ command }) => command),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/platform/views',
    operationId: 'platformViews',
    summary: 'List the cards of the home page and the pages that plugins declare',
    description: 'Only cards and pages whose routes the caller may use.',
    access: 'signed-in',
    answer: contributedViews,
    handler: async ({ author: { principal } }, { calls }) => ({ data: viewsFor(calls(), principal.rights) }),
  }),
];

/** Cards and pages for a caller with these rights. */
export function viewsFor(calls: readonly RouteCalls[], rights: Rights): ContributedViews {
  return {
    homeCards: usable(
      calls.flatMap(({ homeCards }) => homeCards),
      rights,
    ).map(({ card }) => card),
    tablePages: usable(
      calls.flatMap(({ tablePages }) => tablePages),
      rights,
    ).map(({ page }) => page),
  };
}

function usable<T extends Pick<RegisteredCommand, 'access'>>(all: readonly T[], rights: Rights): readonly T[] {
  return all.filter(({ access }) => mayUse(access, undefined, rights));
}
