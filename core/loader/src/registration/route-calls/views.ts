import type {
  ContributedView,
  HomeCardContribution,
  TablePageContribution,
  PluginProblem,
  RowMember,
} from '@gantry/contracts';
import type { RegisteredCommand, RegisteredHomeCard, RegisteredTablePage } from '../../record/route-calls';
import type { CompiledRoute } from '../../record/registered-plugin';
import { findCalled, unfitRoute, unknownRoute, type Calling } from './called-route';
import { rowMembersOf, type RowMembers } from './row-members';

type Owner = Pick<ContributedView, 'plugin' | 'pluginName'>;

/** The card of the home page that a manifest declares. */
export function homeCardOf(
  owner: Owner,
  { name, title, text, value, link, route: called }: HomeCardContribution,
  routes: readonly CompiledRoute[],
): RegisteredHomeCard | readonly PluginProblem[] {
  const calling: Calling = { what: `home card "${name}"`, route: called, list: 'homeCards' };
  const found = findRows(calling, routes);
  if ('problems' in found) return found.problems;
  const { route, members } = found;
  const linked = [...(link ?? '').matchAll(/\{(\w+)\}/g)].map(([, member = '']) => member);
  const problems = missingMembers(calling, members, [text, ...(value === undefined ? [] : [value]), ...linked]);
  const [shownText, shownValue] = [members.get(text), members.get(value ?? '')];
  if (problems.length > 0 || shownText === undefined) return problems;
  const card = {
    ...{ ...owner, name, title, path: route.path, text: shownText },
    ...(shownValue === undefined ? {} : { value: shownValue }),
    ...(link === undefined ? {} : { link }),
  };
  return Object.freeze({ card, access: route.options.access });
}

/** The page that a manifest declares. @param commands those of the same manifest */
export function tablePageOf(
  owner: Owner,
  { name, title, icon = 'plug', columns, actions = [], route: called }: TablePageContribution,
  routes: readonly CompiledRoute[],
  commands: readonly RegisteredCommand[],
): RegisteredTablePage | readonly PluginProblem[] {
  const calling: Calling = { what: `page "${name}"`, route: called, list: 'tablePages' };
  const found = findRows(calling, routes);
  if ('problems' in found) return found.problems;
  const { route, members } = found;
  const offered = commands.filter(({ command }) => actions.includes(command.name));
  const unknown = actions.filter((action) => !offered.some(({ command }) => command.name === action));
  const inPath = offered.flatMap(({ command }) => command.values.filter(({ in: part }) => part === 'path'));
  const problems = [
    ...missingMembers(calling, members, [...(columns ?? []), ...inPath.map((value) => value.name)]),
    ...unknown.map((action) =>
      unfitRoute(calling, `has no command "${action}"`, 'Declare it in gantry.contributes.commands'),
    ),
  ];
  if (problems.length > 0) return problems;
  const shown = (columns ?? [...members.keys()]).flatMap((column): readonly RowMember[] => {
    const member = members.get(column);
    return member === undefined ? [] : [member];
  });
  const page = { ...owner, name, title, icon, path: route.path, columns: shown, actions };
  return Object.freeze({ page, access: route.options.access });
}

type Found =
  | { readonly route: CompiledRoute; readonly members: RowMembers }
  | { readonly problems: readonly PluginProblem[] };

function findRows(calling: Calling, routes: readonly CompiledRoute[]): Found {
  const route = findCalled(routes, calling);
  if (route === undefined) return { problems: [unknownRoute(calling, routes)] };
  const members = rowMembersOf(calling, route);
  return 'code' in members ? { problems: [members] } : { route, members };
}

/** @param names of members that a declaration uses */
function missingMembers(calling: Calling, members: RowMembers, names: readonly string[]): readonly PluginProblem[] {
  const missing = [...new Set(names)].filter((name) => !members.has(name));
  if (missing.length === 0) return [];
  const reason = `answers no text, number, boolean or time ${missing.map((name) => `"${name}"`).join(', ')}`;
  return [unfitRoute(calling, reason, `Its known members are ${[...members.keys()].join(', ') || 'none'}`)];
}
