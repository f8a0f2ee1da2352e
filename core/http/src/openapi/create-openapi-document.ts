import { type ItemTypeDescriptor, type FieldTypes, shippedFieldTypes } from '@gantry/core-content';
import type { OpenApiDocument } from './document';
import { errorResponses } from './error-responses';
import { anyTypeSchemas, itemTypeSchemas } from './item-type-schemas';
import { routeParameters } from './route-parameters';
import { routePaths, routeResponses, routeSchemas, type DescribedRoute, type MayDo } from './route-paths';
import { sharedHeaders, sharedParameters, sharedSchemas } from './shared-components';

/** The input of the document. */
export interface OpenApiInput {
  /** `any` describes what is the same for all types once, with the type as a parameter. */
  readonly types: readonly ItemTypeDescriptor[] | 'any';
  /** Types of fields; the field types of the platform unless given. */
  readonly fieldTypes?: FieldTypes;
  /** Whether who reads the document may do something with items of a type; everything unless given. */
  readonly mayDo?: MayDo;
  /** Of the platform and of plugins. */
  readonly routes: readonly DescribedRoute[];
  /** Version of the platform. */
  readonly version: string;
  /** Bytes of a request body at most. */
  readonly bodyLimit: number;
}

/**
 * The OpenAPI 3.1 document of a running platform: its own endpoints, the generic ones once per item type with that
 * type's fields, and the routes of plugins. Made once per start from the same descriptors that serve the requests.
 */
export function createOpenApiDocument({ types: wanted, ...input }: OpenApiInput): OpenApiDocument {
  const types = wanted === 'any' ? [] : wanted;
  return {
    openapi: '3.1.1',
    info: {
      title: 'Gantry',
      version: input.version,
      description: describePlatform(input.bodyLimit),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    // Without a credential, only a platform that is open on its own machine answers.
    security: [{}, { token: [] }],
    tags: tagsOf(types, input.routes),
    paths: routePaths(input.routes, wanted, input.mayDo),
    components: {
      schemas: merged([
        sharedSchemas(wanted === 'any' ? undefined : fieldTypeNames(types, input.fieldTypes)),
        routeSchemas(input.routes),
        ...(wanted === 'any' ? [anyTypeSchemas] : types.map(itemTypeSchemas)),
      ]),
      responses: { ...errorResponses, ...routeResponses(input.routes) },
      parameters: { ...sharedParameters, ...routeParameters(input.routes) },
      headers: sharedHeaders,
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token: gty_…' } },
    },
  };
}

/** Of the platform, and of the plugins whose field kinds the types have. */
function fieldTypeNames(types: readonly ItemTypeDescriptor[], fieldTypes = shippedFieldTypes): readonly string[] {
  return [...new Set<string>([...fieldTypes.names, ...types.flatMap(({ fields }) => fields.map(({ type }) => type))])];
}

/** One object of many, without a copy for each of a thousand types. */
function merged<T>(parts: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

function describePlatform(bodyLimit: number): string {
  return [
    'Every response is wrapped: `{ "data", "meta"? }` when it succeeds, `{ "error": { "code", "message", "details"?, "requestId" } }` when it fails.',
    `A body is JSON of at most ${bodyLimit} bytes; files that are imported or uploaded may be larger. Unknown or repeated query parameters are refused.`,
    'The platform serves loopback host names only and rejects writes from other sites with 403.',
  ].join('\n\n');
}

function tagsOf(types: readonly ItemTypeDescriptor[], routes: readonly DescribedRoute[]): OpenApiDocument['tags'] {
  const plugins = new Set([...types, ...routes].flatMap(({ plugin }) => plugin ?? []));
  const known = [
    { name: 'platform', description: 'Endpoints of the platform' },
    { name: 'history', description: 'Earlier versions of items, and the change feed' },
    ...[...plugins].map((name) => ({
      name: `plugin ${name}`,
      description: `Item types and routes of the plugin ${name}`,
    })),
  ];
  const others = routes.flatMap(({ contract }) => contract?.tags ?? []);
  const ofPlugins = new Set(others.filter((name) => known.every((tag) => tag.name !== name)));
  return [...known, ...[...ofPlugins].map((name) => ({ name, description: `Routes of plugins: ${name}` }))];
}
