import { printMembers, printReference, printSchema, toCommentText, type Member, type Schema } from './print-schema';

/** The parts of an OpenAPI document 3.1 that are read. */
interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, OpenApiResponse>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

type PathItem = Readonly<Partial<Record<(typeof methods)[number], Operation>>> & {
  /** Of all operations. */
  readonly parameters?: readonly (Parameter | Reference)[];
};

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, OpenApiResponse | Reference>>;
}

interface Reference {
  readonly $ref: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface OpenApiResponse {
  readonly description?: string;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/**
 * Prints the types of a platform as a TypeScript module: every path in the form that openapi-fetch reads, every item type by its
 * code, and a function that makes the client with them.
 * @param document its OpenAPI document, as `GET /api/openapi.json` answers it
 * @public
 */
export function printClientTypes(document: unknown): string {
  const api = document as OpenApiDocument;
  const source = toCommentText(`${api.info.title} ${api.info.version}`).replaceAll(/\s+/g, ' ');
  return [
    `/* Made by gantry client generate from ${source}. Changes are lost when it runs again. */`,
    '/* eslint-disable */',
    "import { createGantryClient, type ClientOptions, type GantryClient } from '@gantry/client';",
    '',
    ...printInterfaces(api),
    '/** The item types by their codes. */',
    `export interface items ${printItemTypes(api)}`,
    '',
    '/** The client of this platform. */',
    'export function createClient(options: ClientOptions): GantryClient<paths, items> {',
    '  return createGantryClient<paths, items>(options);',
    '}',
    '',
  ].join('\n');
}

/**
 * Prints the types of the paths and components of a document alone.
 * @public
 */
export function printPlatformTypes(document: unknown): string {
  return printInterfaces(document as OpenApiDocument).join('\n');
}

function printInterfaces(api: OpenApiDocument): readonly string[] {
  return [`export interface paths ${printPaths(api)}`, '', `export interface components ${printComponents(api)}`, ''];
}

function printPaths(api: OpenApiDocument): string {
  return printMembers(
    Object.entries(api.paths).map(([path, item]): Member => {
      const members = methods.map((method): Member => {
        const operation = item[method];
        return operation === undefined
          ? { name: method, isOptional: true, type: 'never' }
          : {
              name: method,
              isOptional: false,
              type: printOperation(api, operation, item.parameters ?? []),
              description: operation.summary,
            };
      });
      const none: Member = { name: 'parameters', isOptional: false, type: emptyParameters(2) };
      return { name: path, isOptional: false, type: printMembers([none, ...members], 1) };
    }),
    0,
  );
}

const locations = ['query', 'header', 'path', 'cookie'] as const;

function emptyParameters(indent: number): string {
  return printMembers(
    locations.map((name) => ({ name, isOptional: true, type: 'never' })),
    indent,
  );
}

function printOperation(
  api: OpenApiDocument,
  { parameters = [], requestBody, responses }: Operation,
  shared: readonly (Parameter | Reference)[],
): string {
  const resolved = [...shared, ...parameters].map((parameter) => resolveParameter(api, parameter));
  const members: readonly Member[] = [
    { name: 'parameters', isOptional: false, type: printParameters(resolved, 3) },
    requestBody === undefined
      ? { name: 'requestBody', isOptional: true, type: 'never' }
      : {
          name: 'requestBody',
          isOptional: requestBody.required !== true,
          type: printMembers([{ name: 'content', isOptional: false, type: printContent(requestBody.content, 4) }], 3),
        },
    { name: 'responses', isOptional: false, type: printResponses(responses, 3) },
  ];
  return printMembers(members, 2);
}

function resolveParameter(api: OpenApiDocument, parameter: Parameter | Reference): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const name = parameter.$ref.split('/').at(-1) ?? '';
  const found = api.components?.parameters?.[name];
  if (found === undefined) throw new Error(`The OpenAPI document has no ${parameter.$ref}.`);
  return found;
}

function printParameters(parameters: readonly Parameter[], indent: number): string {
  return printMembers(
    locations.map((location): Member => {
      const own = parameters.filter((parameter) => parameter.in === location);
      if (own.length === 0) return { name: location, isOptional: true, type: 'never' };
      const members = own.map(({ name, required, description, schema }): Member => ({
        name,
        isOptional: required !== true,
        type: printSchema(schema, indent + 2),
        description,
      }));
      return {
        name: location,
        isOptional: members.every(({ isOptional }) => isOptional),
        type: printMembers(members, indent + 1),
      };
    }),
    indent,
  );
}

function printResponses(responses: Operation['responses'], indent: number): string {
  return printMembers(
    Object.entries(responses).map(([status, response]): Member => {
      const type = '$ref' in response ? printReference(response.$ref) : printResponse(response, indent + 1);
      return { name: /^\d+$/.test(status) ? status : 'default', isOptional: false, type };
    }),
    indent,
  ).replaceAll(/^( *)"(\d{3})":/gm, '$1$2:');
}

function printResponse({ content }: OpenApiResponse, indent: number): string {
  return printMembers(
    [
      { name: 'headers', isOptional: false, type: 'Record<string, unknown>' },
      content === undefined
        ? { name: 'content', isOptional: true, type: 'never' }
        : { name: 'content', isOptional: false, type: printContent(content, indent + 1) },
    ],
    indent,
  );
}

function printContent(content: Content, indent: number): string {
  return printMembers(
    Object.entries(content).map(([mediaType, { schema }]): Member => {
      const type = mediaType.includes('json') ? printSchema(schema, indent + 1) : typeOfContent(mediaType);
      return { name: mediaType, isOptional: false, type };
    }),
    indent,
  );
}

function typeOfContent(mediaType: string): string {
  return mediaType.startsWith('text/') ? 'string' : 'Blob';
}

function printComponents({ components = {} }: OpenApiDocument): string {
  const { schemas = {}, responses = {} } = components;
  return printMembers(
    [
      {
        name: 'schemas',
        isOptional: false,
        type: printMembers(
          Object.entries(schemas).map(([name, schema]): Member => ({
            name,
            isOptional: false,
            type: printSchema(schema, 2),
            description: schema.description,
          })),
          1,
        ),
      },
      {
        name: 'responses',
        isOptional: false,
        type: printMembers(
          Object.entries(responses).map(([name, response]): Member => ({
            name,
            isOptional: false,
            type: printResponse(response, 2),
            description: response.description,
          })),
          1,
        ),
      },
    ],
    0,
  );
}

/** An item type has a list of rows, whose schema is named after it. */
function printItemTypes({ paths, components = {} }: OpenApiDocument): string {
  const { schemas = {} } = components;
  const members = Object.entries(paths).flatMap(([path, item]): readonly Member[] => {
    const code = /^\/api\/cms\/items\/([a-z][a-z0-9_]*)\/list$/.exec(path)?.[1];
    const success = item.post?.responses['200'];
    const schema =
      success !== undefined && 'content' in success ? success.content['application/json']?.schema : undefined;
    const name = /\/(\w+)ListEnvelope$/.exec(schema?.$ref ?? '')?.[1];
    if (code === undefined || name === undefined) return [];
    const part = (suffix: string): string =>
      Object.hasOwn(schemas, name + suffix) ? printReference(`#/components/schemas/${name}${suffix}`) : 'never';
    const shape = { row: 'Row', create: 'Create', update: 'Update', criteria: 'Criteria' };
    const types = Object.entries(shape).map(([member, suffix]): Member => ({
      name: member,
      isOptional: false,
      type: part(suffix),
    }));
    return [{ name: code, isOptional: false, type: printMembers(types, 1) }];
  });
  return printMembers(members, 0);
}
