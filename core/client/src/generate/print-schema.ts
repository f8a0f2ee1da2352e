/** A JSON schema, of which only what has a form in TypeScript is read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | boolean;
  readonly description?: string;
  readonly deprecated?: boolean;
}

/** A member of an object type. */
export interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: string;
  readonly description?: string | undefined;
}

/** The TypeScript type of the values that a schema accepts. `indent` is the depth of its line. */
export function printSchema(schema: Schema | boolean | undefined, indent: number): string {
  if (schema === undefined || schema === true) return 'unknown';
  if (schema === false) return 'never';
  if (schema.$ref !== undefined) return printReference(schema.$ref);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(literal));
  const parts = [
    ...(schema.allOf ?? []).map((part) => parenthesize(printSchema(part, indent))),
    ...[schema.oneOf, schema.anyOf].flatMap((options) =>
      options === undefined ? [] : [parenthesize(union(options.map((option) => printSchema(option, indent))))],
    ),
    ...(schema.type === undefined && schema.properties === undefined ? [] : [printTyped(schema, indent)]),
  ];
  if (parts.length > 1) return parts.join(' & ');
  return parts[0] === undefined ? 'unknown' : unwrap(parts[0]);
}

/** `components["schemas"]["ProductRow"]` for `#/components/schemas/ProductRow`. */
export function printReference(reference: string): string {
  const [root = '', ...names] = reference.replace(/^#\//, '').split('/').map(decodePointer);
  return `${root}${names.map((name) => `[${JSON.stringify(name)}]`).join('')}`;
}

export function printMembers(members: readonly Member[], indent: number): string {
  if (members.length === 0) return '{}';
  const pad = '  '.repeat(indent + 1);
  const lines = members.flatMap(({ name, isOptional, type, description }) => [
    ...comment(description, pad),
    `${pad}${printKey(name)}${isOptional ? '?' : ''}: ${type};`,
  ]);
  return `{\n${lines.join('\n')}\n${'  '.repeat(indent)}}`;
}

function printTyped(schema: Schema, indent: number): string {
  const types = [schema.type ?? 'object'].flat();
  return types.length === 1
    ? printType(types[0] ?? '', schema, indent)
    : parenthesize(union(types.map((type) => printType(type, schema, indent))));
}

function printType(type: string, schema: Schema, indent: number): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `${parenthesize(printSchema(schema.items, indent))}[]`;
    case 'object':
      return printObject(schema, indent);
    default:
      return 'unknown';
  }
}

function printObject({ properties = {}, required = [], additionalProperties }: Schema, indent: number): string {
  const members = Object.entries(properties).map(([name, property]): Member => ({
    name,
    isOptional: !required.includes(name),
    type: printSchema(property, indent + 1),
    description: property.description,
  }));
  if (members.length > 0) return printMembers(members, indent);
  if (additionalProperties === false) return '{}';
  return `Record<string, ${printSchema(additionalProperties, indent)}>`;
}

function comment(text: string | undefined, pad: string): readonly string[] {
  if (text === undefined || text === '') return [];
  const lines = toCommentText(text).split('\n');
  return lines.length === 1
    ? [`${pad}/** ${lines[0]} */`]
    : [`${pad}/**`, ...lines.map((line) => `${pad} * ${line}`), `${pad} */`];
}

/** A text that does not end the comment that it is put in. */
export function toCommentText(text: string): string {
  return text.replaceAll('*/', '*\\/');
}

function printKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function literal(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value);
}

function union(types: readonly string[]): string {
  return types.length === 0 ? 'never' : [...new Set(types)].join(' | ');
}

function parenthesize(type: string): string {
  return isCompound(type) ? `(${type})` : type;
}

/** Whether it is a union or an intersection outside of all brackets and texts. */
function isCompound(type: string): boolean {
  let depth = 0;
  for (const [token] of type.matchAll(/"(?:[^"\\]|\\.)*"|\/\*[^]*?\*\/|[{([\])}]| [|&] /g)) {
    if ('{(['.includes(token)) depth += 1;
    else if ('})]'.includes(token)) depth -= 1;
    else if (depth === 0 && token.length === 3) return true;
  }
  return false;
}

function unwrap(type: string): string {
  return /^\([^()]*\)$/.test(type) ? type.slice(1, -1) : type;
}

function decodePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
