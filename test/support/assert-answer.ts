import type { PluginDefinition } from '@gantry/plugin-api';
import type { ValidateFunction } from 'ajv';
import { rowProblems, type AskedAnswer } from './row-problems';
import { compileValidators, problemsOf } from './schema-validators';

type Validators = (method: string, path: string, status: number) => ValidateFunction | undefined;

let loading: Promise<Validators> | undefined;

/** Where the routes of the platform are, and those of the plugins that it is delivered with. Most tests ask for none of them. */
const places =
  /^\/(?:api\/platform|livez|readyz|api\/cms|admin\/api|orders|place-order|payment|consignments|operations|workflows)(?:\/|$)/;

/**
 * Compares an answer with the schema that its route has, which also refuses what the schema does not name; rows with what the platform says
 * of their type.
 * @throws Error with what does not conform
 */
export async function assertAnswer(answer: AskedAnswer): Promise<void> {
  const { method, status, json } = answer;
  const [path = ''] = answer.path.split('?');
  const isState = path === '/readyz' && status === 503;
  if (!places.test(path) || status === 204 || (status >= 300 && !isState)) return;
  loading ??= loadValidators();
  const ofAnyType = problemsOf((await loading)(method, path, status), json);
  const problems = ofAnyType.length > 0 ? ofAnyType : await rowProblems({ ...answer, path });
  if (problems.length === 0) return;
  throw new Error(`${method} ${path} answers what its schema does not have:\n${problems.join('\n')}`);
}

/** Of the routes that are declared with their contracts. */
async function loadValidators(): Promise<Validators> {
  const { compiledRoutes, createOpenApiDocument, routesOfPlugin } = await import('@gantry/host');
  const plugins = await Promise.all([
    import('@gantry/plugin-admin-ui'),
    import('@gantry/service-order'),
    import('@gantry/service-payment'),
    import('@gantry/service-consignment'),
    import('@gantry/service-ops'),
  ]);
  const routes = [
    ...compiledRoutes(),
    // CommonJS as the compiler of the tests makes it: `default` is that of the module.
    ...plugins.flatMap((module) => routesOfPlugin((module as unknown as { default: PluginDefinition }).default)),
  ];
  const find = await compileValidators(createOpenApiDocument({ types: 'any', routes, version: '', bodyLimit: 0 }));
  const parameters = (path: string): number => path.split(':').length;
  const specific = routes.toSorted((one, other) => parameters(one.path) - parameters(other.path));
  const templates = specific.map(({ method, path }) => ({
    method,
    template: path.replaceAll(/:(\w+)/g, '{$1}'),
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
  }));
  return (method, asked, status) => {
    const found = templates.find((one) => one.method === method && one.pattern.test(asked));
    return found && find(method, found.template, status);
  };
}
