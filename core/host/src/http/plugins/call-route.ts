import type { ErrorDetail } from '@gantry/contracts';
import type { RouteRequest, RouteResponse } from '@gantry/plugin-api';
import type { CompiledSchema, CompiledSchemas, RequestPart } from '../../plugins/record/compiled-schemas';
import type { RegisteredRoute } from '../../plugins/record/registered-plugin';
import { assertObject, detailsOf, noObject, notConforming } from '../exchange/schema-issues';

type Parts = Pick<RouteRequest, RequestPart>;

/**
 * Runs the handler of a route with what its schemas make of the request. Both are code of the plugin.
 * @throws GantryError BAD_REQUEST for a body that is no object, VALIDATION_FAILED with all problems of all parts, and what the
 *   handler throws
 */
export async function callRoute(
  { handler, schemas }: Pick<RegisteredRoute, 'handler' | 'schemas'>,
  request: RouteRequest,
): Promise<RouteResponse> {
  return handler({ ...request, ...(await validateRequest(schemas, request)) });
}

/** The parts of a request for which its route has schemas, as these make them. */
async function validateRequest(schemas: CompiledSchemas, parts: Parts): Promise<Partial<Parts>> {
  if (schemas.body !== undefined && parts.body !== undefined) assertObject(parts.body);
  const valid: Record<string, unknown> = {};
  const details: ErrorDetail[] = [];
  for (const [part, schema] of Object.entries(schemas) as readonly [RequestPart, CompiledSchema][]) {
    const result = await schema.validate(parts[part]);
    if (result.issues === undefined) valid[part] = result.value;
    else if (parts[part] === undefined && result.issues.every(({ path = [] }) => path.length === 0)) throw noObject();
    else details.push(...result.issues.flatMap(detailsOf));
  }
  if (details.length > 0) throw notConforming(details);
  return valid;
}
