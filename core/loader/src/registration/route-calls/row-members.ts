import type { PluginProblem, RowMember } from '@gantry/contracts';
import type { CompiledRoute } from '../../record/registered-plugin';
import { resolved, unfitRoute, type Calling } from './called-route';

type Schema = Readonly<Record<string, unknown>>;

/** Members of the rows that a route answers, by name; those that are lists or objects are left out. */
export type RowMembers = ReadonlyMap<string, RowMember>;

/** Reads from the contract of a route which rows it answers. @returns a problem of a route that answers none */
export function rowMembersOf(calling: Calling, route: CompiledRoute): RowMembers | PluginProblem {
  const { method, path, schemas, contract } = route;
  const needed = schemas.query?.json.required ?? [];
  if (method !== 'GET' || /[:*]/.test(path) || needed.length > 0) {
    const remedy = 'Name a route that answers without path and query parameters';
    return unfitRoute(calling, 'is no GET that needs no parameters', remedy);
  }
  const { json = {}, named = {} } = contract?.answer ?? {};
  const list = resolved(json, named);
  const row = isSchema(list['items']) ? resolved(list['items'], named) : {};
  if (list['type'] !== 'array' || !isSchema(row['properties'])) {
    return unfitRoute(calling, 'does not answer a list of objects', 'Declare such a list as the answer of the route');
  }
  return membersOf(row['properties'] as Readonly<Record<string, Schema>>, named);
}

function membersOf(properties: Readonly<Record<string, Schema>>, named: Readonly<Record<string, Schema>>): RowMembers {
  const members = Object.entries(properties).flatMap(([name, given]): readonly RowMember[] => {
    const schema = resolved(given, named);
    const kind = kindOf(schema);
    if (kind === undefined) return [];
    const title = given['title'] ?? schema['title'];
    return [{ name, title: typeof title === 'string' ? title : words(name), kind }];
  });
  return new Map(members.map((member) => [member.name, member]));
}

function kindOf({ type, format }: Schema): RowMember['kind'] | undefined {
  const [only, ...others] = [type].flat().filter((one) => one !== 'null');
  if (others.length > 0 || only === undefined) return 'text';
  if (typeof only !== 'string') return undefined;
  return format === 'date-time' ? 'instant' : shownAs[only];
}

/** By type of JSON Schema. */
const shownAs: Readonly<Record<string, RowMember['kind'] | undefined>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  string: 'text',
};

/** A name as words: `publishedAt` is `Published at`. */
function words(name: string): string {
  const text = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
