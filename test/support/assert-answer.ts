import type { PluginDefinition } from '@gantry/plugin-api';
import type { ValidateFunction } from 'ajv';

type Validators = (method: string, path: string) => ((status: number) => ValidateFunction | undefined) | undefined;

let loading: Promise<Validators> | undefined;

/** Where the routes of the platform are, and those of the plugins that it is delivered with. Most tests ask for none of them. */
const places = new RegExp(
  `^/(?:${[
    'api/platform|livez|readyz|api/cms/changes|api/cms/imports|api/cms/items/[^/]+/(?:deleted|[^/]+/(?:history|differences|restore))',
    'admin/api|orders|place-order|payment|consignments|operations|workflows',
  ].join('|')})(?:/|$)`,
);

/**
 * Compares an answer with the schema that its route has, which also refuses what the schema does not name.
 * @throws Error with what does not conform
 */
export async function assertAnswer(method: string, address: string, status: number, json: unknown): Promise<void> {
  const [path = ''] = address.split('?');
  const isState = path === '/readyz' && status === 503;
  if (!places.test(path) || status === 204 || (status >= 300 && !isState)) return;
  loading ??= loadValidators();
  const validate = (await loading)(method, path)?.(status);
  if (validate === undefined || validate(json)) return;
  const problems = (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
  throw new Error(`${method} ${path} answers what its schema does not have:\n${problems.join('\n')}`);
}

/** Of the routes that are declared with their contracts. */
async function loadValidators(): Promise<Validators> {
  const { compileHostRoute, createOpenApiDocument, declaredRoutes, routesOfPlugin } = await import('@gantry/host');
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const { default: formats } = await import('ajv-formats');
  const plugins = await Promise.all([
    import('@gantry/plugin-admin-ui'),
    import('@gantry/service-order'),
    import('@gantry/service-payment'),
    import('@gantry/service-consignment'),
    import('@gantry/service-ops'),
  ]);
  const routes = [
    ...declaredRoutes.map(compileHostRoute),
    // CommonJS as the compiler of the tests makes it: `default` is that of the module.
    ...plugins.flatMap((module) => routesOfPlugin((module as unknown as { default: PluginDefinition }).default)),
  ];
  const document = createOpenApiDocument({ types: 'any', routes, version: '', bodyLimit: 0 });
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(closed(document) as object, 'platform');
  const templates = routes.map(({ method, path }) => ({
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
  }));
  return (method, asked) => {
    const found = templates.find((one) => one.method === method && one.pattern.test(asked));
    if (found === undefined) return undefined;
    const operation = `#/paths/${found.path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
    return (status) => ajv.getSchema(`platform${operation}/responses/${status}/content/application~1json/schema`);
  };
}

/** A copy of a document whose objects have no members besides those that they name. */
function closed(part: unknown): unknown {
  return JSON.parse(JSON.stringify(part), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('properties' in value) || !('type' in value)) return value;
    return 'additionalProperties' in value ? value : { ...value, additionalProperties: false };
  }) as unknown;
}
