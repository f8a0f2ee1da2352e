/** Promises of an OpenAPI document about one operation, without texts, limits and the names of components. */
export interface OperationContract {
  readonly operationId: string;
  readonly statuses: string;
  /** `query limit: integer`; with `!` after the name for one that is required. */
  readonly parameters: readonly string[];
  /** Properties by path, `filter[].field!: string`, of each media type. */
  readonly body: readonly string[];
  /** The same of all answers that are a success. */
  readonly answer: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** The contracts of all operations of a document, by method and path. */
export function contractOf(document: Json): Readonly<Record<string, OperationContract>> {
  const paths = document['paths'] as Readonly<Record<string, Json>>;
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, { parameters = [], ...item }]) =>
      Object.entries(item).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        operationContract(operation as Json, parameters as readonly Json[], document),
      ]),
    ),
  );
}

function operationContract(
  { operationId, parameters = [], requestBody, responses }: Json,
  shared: readonly Json[],
  document: Json,
): OperationContract {
  const answers = Object.entries(responses as Readonly<Record<string, Json>>);
  return {
    operationId: String(operationId),
    statuses: answers.map(([status]) => status).join(' '),
    parameters: [...shared, ...(parameters as readonly Json[])]
      .map((one) => resolve(one, document))
      .map(({ in: place, name, required, schema }) => {
        const types = typesOf(schema as Json, document).join('|');
        return `${String(place)} ${String(name)}${required === true ? '!' : ''}: ${types}`;
      })
      .toSorted(),
    body: requestBody === undefined ? [] : contentContract(requestBody as Json, document, requiredByAll),
    answer: answers
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, answer]) => contentContract(resolve(answer, document), document, requiredByPart)),
  };
}

/** Whether a property is required: of a schema, and of the part of it that describes the property. */
type IsRequired = (schema: Json | undefined, part: Json, name: string, document: Json) => boolean;

interface Reading {
  readonly document: Json;
  readonly isRequired: IsRequired;
}

function contentContract({ content = {} }: Json, document: Json, isRequired: IsRequired): readonly string[] {
  return Object.entries(content as Readonly<Record<string, Json>>).flatMap(([mediaType, { schema }]) => [
    `${mediaType}: ${typesOf(schema as Json, document).join('|')}`,
    ...propertiesOf(schema as Json, '', { document, isRequired }, []),
  ]);
}

/** All properties of a schema by path; a schema within itself once. */
function propertiesOf(schema: Json | undefined, path: string, reading: Reading, within: readonly Json[]): string[] {
  const { document } = reading;
  const parts = alternativesOf(schema, document).filter((part) => !within.includes(part));
  const found = new Map<string, Set<string>>();
  for (const part of parts) {
    const inner = [...within, part];
    for (const one of propertiesOfItems(part, path, reading, inner)) found.set(one, new Set());
    for (const [name, property] of Object.entries((part['properties'] ?? {}) as Readonly<Record<string, Json>>)) {
      const key = `${path}${path === '' ? '' : '.'}${name}`;
      const marked = `${key}${reading.isRequired(schema, part, name, document) ? '!' : ''}`;
      const types = found.get(marked) ?? new Set();
      for (const type of typesOf(property, document)) types.add(type);
      found.set(marked, types);
      for (const one of propertiesOf(property, key, reading, inner)) found.set(one, new Set());
    }
  }
  return [...found].map(([key, types]) => (types.size === 0 ? key : `${key}: ${[...types].toSorted().join('|')}`));
}

/** Whether one of the kinds of objects that a schema describes has to have the property: so the recorded answers have it. */
function requiredByPart(_schema: Json | undefined, part: Json, name: string): boolean {
  return (part['required'] as readonly string[] | undefined)?.includes(name) === true;
}

/** Whether no object conforms to a schema without the property: of several kinds of objects, each has to require it. */
function requiredByAll(schema: Json | undefined, _part: Json, name: string, document: Json): boolean {
  if (schema === undefined) return false;
  const resolved = resolve(schema, document);
  if (requiredByPart(schema, resolved, name)) return true;
  const isRequired = (part: Json): boolean => requiredByAll(part, part, name, document);
  const partsOf = (word: string) =>
    ((resolved[word] ?? []) as readonly Json[]).filter((part) => typesOf(part, document).includes('object'));
  const isEverywhere = (parts: readonly Json[]): boolean => parts.length > 0 && parts.every(isRequired);
  return partsOf('allOf').some(isRequired) || isEverywhere(partsOf('oneOf')) || isEverywhere(partsOf('anyOf'));
}

function propertiesOfItems({ items }: Json, path: string, reading: Reading, within: readonly Json[]): string[] {
  if (typeof items !== 'object' || items === null) return [];
  return [
    `${path}[]: ${typesOf(items as Json, reading.document).join('|')}`,
    ...propertiesOf(items as Json, `${path}[]`, reading, within),
  ];
}

function typesOf(schema: Json | undefined, document: Json): readonly string[] {
  const types = alternativesOf(schema, document).flatMap((part) => {
    if ('const' in part) return [typeOf(part['const'])];
    if (Array.isArray(part['enum'])) return (part['enum'] as readonly unknown[]).map(typeOf);
    return part['type'] === undefined ? [] : [part['type'] as string | readonly string[]].flat();
  });
  return types.length === 0 ? ['any'] : [...new Set(types)].toSorted();
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

/** A schema with all that it is combined from. */
function alternativesOf(schema: Json | undefined, document: Json): readonly Json[] {
  if (schema === undefined) return [];
  const resolved = resolve(schema, document);
  const combined = ['oneOf', 'anyOf', 'allOf'].flatMap((word) => (resolved[word] ?? []) as readonly Json[]);
  return [resolved, ...combined.flatMap((part) => alternativesOf(part, document))];
}

function resolve(part: Json, document: Json): Json {
  const reference = part['$ref'];
  if (typeof reference !== 'string') return part;
  const target = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((parent, key) => (parent as Json)[key], document);
  return resolve(target as Json, document);
}

/**
 * Parts of the recorded contract that clients would miss in the present one: an operation, a status, a parameter or a property that is gone,
 * one of a request that has become required, and one of an answer that has become optional or of another type.
 */
export function missingFrom(present: OperationContract | undefined, recorded: OperationContract): readonly string[] {
  if (present === undefined) return ['the operation'];
  const statuses = present.statuses.split(' ');
  return [
    ...recorded.statuses.split(' ').flatMap((status) => (statuses.includes(status) ? [] : [`status ${status}`])),
    ...missingOfRequest('parameter', present.parameters, recorded.parameters),
    ...missingOfRequest('body', present.body, recorded.body),
    ...missingOfAnswer(present.answer, recorded.answer),
  ];
}

interface Member {
  readonly isRequired: boolean;
  readonly types: readonly string[];
}

function membersOf(lines: readonly string[]): ReadonlyMap<string, Member> {
  return new Map(
    lines.map((line) => {
      const [, name = '', mark, types = ''] = /^(.*?)(!?): ([^:]*)$/.exec(line) ?? [];
      return [name, { isRequired: mark === '!', types: types.split('|') }];
    }),
  );
}

function missingOfRequest(what: string, present: readonly string[], recorded: readonly string[]): readonly string[] {
  const [now, before] = [membersOf(present), membersOf(recorded)];
  const lost = [...before].flatMap(([name, { types }]) => {
    const known = now.get(name);
    if (known === undefined) return [`${what} ${name}`];
    return accepts(known.types, types) ? [] : [`${what} ${name} of type ${types.join('|')}`];
  });
  // Members of an object that was any object before were not free: the platform refused what is described now.
  const isDescribed = (name: string): boolean => {
    const parent = name.slice(0, Math.max(name.lastIndexOf('.'), 0));
    return parent === '' || [...before.keys()].some((known) => known.startsWith(`${parent}.`));
  };
  const demanded = [...now].filter(
    ([name, { isRequired }]) => isRequired && before.get(name)?.isRequired !== true && isDescribed(name),
  );
  return [...lost, ...demanded.map(([name]) => `${what} ${name} left out`)];
}

function missingOfAnswer(present: readonly string[], recorded: readonly string[]): readonly string[] {
  const now = membersOf(present);
  return [...membersOf(recorded)].flatMap(([name, { isRequired, types }]) => {
    const known = now.get(name);
    if (known === undefined || (isRequired && !known.isRequired)) return [`answer ${name}`];
    return accepts(types, known.types) ? [] : [`answer ${name} of type ${types.join('|')}`];
  });
}

/** Whether values of the given types are among those of the accepted ones. */
function accepts(accepted: readonly string[], given: readonly string[]): boolean {
  if (accepted.includes('any')) return true;
  return given.every((type) => accepted.includes(type) || (type === 'integer' && accepted.includes('number')));
}
