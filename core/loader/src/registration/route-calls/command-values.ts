import type { CompiledSchema } from '../../record/compiled-schemas';
import type { CommandValue } from '../../record/route-calls';
import type { CompiledRoute } from '../../record/registered-plugin';
import { resolved } from './called-route';

type Schema = Readonly<Record<string, unknown>>;

/** The arguments and options of a command that calls a route. */
export function commandValues(
  route: Pick<CompiledRoute, 'method' | 'path' | 'options' | 'schemas'>,
): readonly CommandValue[] {
  const { path, options, schemas } = route;
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const plain = (name: string): CommandValue => ({ in: 'query', name, kind: 'text', required: false });
  return [
    ...names.map((name) => valueOf('path', name, schemas.params, true)),
    ...(schemas.query === undefined ? (options.query ?? []).map(plain) : membersOf('query', schemas.query)),
    ...bodyValues(route),
  ];
}

function bodyValues({
  method,
  options,
  schemas: { body },
}: Parameters<typeof commandValues>[0]): readonly CommandValue[] {
  const kind = options.body ?? (method === 'GET' || method === 'DELETE' ? 'none' : 'json');
  if (kind === 'none') return [];
  const members = body === undefined ? [] : membersOf('body', body);
  if (members.length > 0) return members;
  if (body !== undefined && isClosed(body)) return [];
  return [{ in: 'body', name: 'body', isWhole: true, kind: 'json', required: body?.isOptional === false }];
}

/** Whether it is an object that has no members. */
function isClosed({ json }: CompiledSchema): boolean {
  return json['type'] === 'object' && json['additionalProperties'] === false;
}

function membersOf(part: 'query' | 'body', schema: CompiledSchema): readonly CommandValue[] {
  const { properties = {}, required = [] } = resolved(schema.json, schema.named) as Partial<CompiledSchema['json']>;
  return Object.keys(properties).map((name) => valueOf(part, name, schema, required.includes(name)));
}

function valueOf(
  part: CommandValue['in'],
  name: string,
  schema: CompiledSchema | undefined,
  required: boolean,
): CommandValue {
  const { properties = {} } = (schema === undefined ? {} : resolved(schema.json, schema.named)) as Partial<
    CompiledSchema['json']
  >;
  const given = properties[name] ?? {};
  const member = schema === undefined ? given : resolved(given, schema.named);
  const description = [given['description'] ?? member['description'], rangeOf(member), defaultOf(given)]
    .filter((text) => typeof text === 'string')
    .join('; ');
  return {
    ...{ in: part, name, required },
    ...(schema === undefined ? { kind: 'text' } : shapeOf(member, schema, part === 'body')),
    ...(description === '' ? {} : { description }),
  };
}

type Shape = Pick<CommandValue, 'kind' | 'isList' | 'choices'>;

/** How scalars of JSON Schema are written. */
const inAddress = kindsBy({ boolean: 'boolean' });
const inJson = kindsBy({ string: 'text', integer: 'number', number: 'number', boolean: 'boolean' });

function kindsBy(kinds: Readonly<Record<string, CommandValue['kind']>>): ReadonlyMap<unknown, CommandValue['kind']> {
  return new Map(Object.entries(kinds));
}

/** How a value is written. In a path and a query, everything is text, and a list is not taken apart. */
function shapeOf(schema: Schema, owner: CompiledSchema, isJson: boolean): Shape {
  const { type, items, enum: options } = schema;
  const texts = Array.isArray(options) ? options.filter((one) => one !== null) : [];
  if (texts.length > 0 && texts.every((one) => typeof one === 'string')) return { kind: 'text', choices: texts };
  const [only, ...others] = [type].flat().filter((one) => one !== 'null');
  const kind = others.length === 0 ? (isJson ? inJson : inAddress).get(only) : undefined;
  if (kind !== undefined || !isJson) return { kind: kind ?? 'text' };
  if (others.length > 0 || only !== 'array' || typeof items !== 'object' || items === null) return { kind: 'json' };
  const entry = shapeOf(resolved(items as Schema, owner.named), owner, true);
  return entry.kind === 'json' || entry.isList ? { kind: 'json' } : { ...entry, isList: true };
}

function rangeOf({ minimum, maximum }: Schema): string | undefined {
  if (typeof minimum === 'number' && typeof maximum === 'number') {
    // Those of a number without a limit are the ones that JavaScript can count to.
    const isLimited = maximum < Number.MAX_SAFE_INTEGER;
    return isLimited ? `${minimum} to ${maximum}` : undefined;
  }
  return typeof minimum === 'number' ? `${minimum} or more` : undefined;
}

function defaultOf({ default: value }: Schema): string | undefined {
  if (value === undefined || value === null || value === false || value === '') return undefined;
  return `${typeof value === 'string' ? value : JSON.stringify(value)} unless given`;
}
