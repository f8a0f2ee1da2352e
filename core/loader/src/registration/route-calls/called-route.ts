import type { PluginProblem } from '@gantry/contracts';
import { createProblem, type ProblemCode } from '../../problem-kinds';
import type { CompiledRoute } from '../../record/registered-plugin';

type Schema = Readonly<Record<string, unknown>>;

/** A declaration that names a route of the same plugin or module. */
export interface Calling {
  /** As a message names it, such as `command "free"`. */
  readonly what: string;
  /** An `operationId`, or method and path. */
  readonly route: string;
  /** Its list in `gantry.contributes`. */
  readonly list: 'commands' | 'homeCards' | 'tablePages';
}

/** The route that a declaration names. */
export function findCalled<R extends CompiledRoute>(routes: readonly R[], { route }: Calling): R | undefined {
  return routes.find(({ method, path, contract }) => contract?.operationId === route || `${method} ${path}` === route);
}

const codes = {
  commands: 'COMMAND_INVALID',
  homeCards: 'CONTRIBUTION_INVALID',
  tablePages: 'CONTRIBUTION_INVALID',
} as const satisfies Readonly<Record<Calling['list'], ProblemCode>>;

/** Names that a message shows. */
const maxShown = 10;

/** @param routes all that the code has registered */
export function unknownRoute({ what, route, list }: Calling, routes: readonly CompiledRoute[]): PluginProblem {
  const names = routes.map(({ method, path, contract }) => contract?.operationId ?? `${method} ${path}`);
  const more = names.length - maxShown;
  const known =
    names.length === 0
      ? 'the plugin has no routes'
      : `the plugin has ${names.slice(0, maxShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return createProblem(
    codes[list],
    `The ${what} calls the route "${route}", which the code does not register; ${known}`,
    `Name the operationId of a route, or its method and path, in gantry.contributes.${list} of package.json`,
  );
}

/** @param reason goes on after the name of the route */
export function unfitRoute({ what, route, list }: Calling, reason: string, remedy: string): PluginProblem {
  return createProblem(codes[list], `The ${what} calls the route "${route}", which ${reason}`, remedy);
}

/** The schema that a reference names, and the one of two that is not null. */
export function resolved(schema: Schema, named: Readonly<Record<string, Schema>>): Schema {
  const { $ref, anyOf } = schema;
  if (typeof $ref === 'string') return named[$ref.split('/').at(-1) ?? ''] ?? {};
  if (!Array.isArray(anyOf)) return schema;
  const others = (anyOf as readonly Schema[]).filter(({ type }) => type !== 'null');
  return others.length === 1 && others[0] !== undefined ? resolved(others[0], named) : schema;
}
