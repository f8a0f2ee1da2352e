import type { ErrorDetail } from '@gantry/contracts';
import type { RouteRequest, RouteResponse } from '@gantry/plugin-api';
import type { CompiledSchema, RequestPart } from '../../plugins/record/compiled-schemas';
import type { CompiledRoute } from '../../plugins/record/registered-plugin';
import { assertObject, detailsOf, noObject, notConforming } from './schema-issues';

type Parts = Pick<RouteRequest, RequestPart | 'upload'>;

/**
 * Runs the handler of a route with what its schemas make of the request. Both may be code of a plugin.
 * @throws GantryError BAD_REQUEST for a body that is no object, VALIDATION_FAILED with all problems of all parts (BAD_REQUEST for a route
 *   with a contract where only parameters are wrong, unless its errors have the other code), and what the handler throws
 */
export async function callRoute(
  route: Pick<CompiledRoute, 'handler' | 'schemas' | 'contract'>,
  request: RouteRequest,
): Promise<RouteResponse> {
  return route.handler({ ...request, ...(await validateRequest(route, request)) });
}

/** The parts of a request for which its route has schemas, as these make them. */
async function validateRequest(
  { schemas, contract }: Pick<CompiledRoute, 'schemas' | 'contract'>,
  parts: Parts,
): Promise<Partial<Parts>> {
  if (schemas.body?.takesArray === false && parts.body !== undefined) assertObject(parts.body);
  const valid: Record<string, unknown> = {};
  const details: ErrorDetail[] = [];
  const isEarlier = contract === undefined || contract.errors.includes('VALIDATION_FAILED');
  let code: 'VALIDATION_FAILED' | 'BAD_REQUEST' = isEarlier ? 'VALIDATION_FAILED' : 'BAD_REQUEST';
  // A file instead of the body.
  const { body: _body, ...withoutBody } = schemas;
  const given = parts.upload === undefined ? schemas : withoutBody;
  for (const [part, schema] of Object.entries(given) as readonly [RequestPart, CompiledSchema][]) {
    const result = await schema.validate(parts[part]);
    if (result.issues === undefined) valid[part] = result.value;
    else if (parts[part] === undefined && result.issues.every(({ path = [] }) => path.length === 0)) throw noObject();
    else {
      details.push(...result.issues.flatMap(detailsOf));
      if (part === 'body') code = contract?.refusal ?? 'VALIDATION_FAILED';
    }
  }
  if (details.length > 0) throw notConforming(details, code);
  return valid;
}
