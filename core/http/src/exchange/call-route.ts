import type { ErrorDetail } from '@gantry/contracts';
import type { RouteRequest, RouteResponse, SchemaResult } from '@gantry/plugin-api';
import type { RequestPart, CompiledRoute } from '@gantry/core-loader';
import { assertObject, detailsOf, noObject, notConforming } from './input/schema-issues';

type Parts = Pick<RouteRequest, RequestPart | 'upload'>;
/** Parts that are replaced by what schemas make of them. */
export type ParsedParts = { -readonly [Part in keyof Parts]: unknown };

/**
 * Runs the handler of a route with what its schemas make of the request. Both may be code of a plugin.
 * @throws GantryError BAD_REQUEST for a body that is no object, VALIDATION_FAILED with all problems of all parts (BAD_REQUEST for a route
 *   with a contract where only parameters are wrong, unless its errors have the other code), and what the handler throws
 */
export async function callRoute(
  route: Pick<CompiledRoute, 'handler' | 'schemas' | 'contract'>,
  request: RouteRequest,
): Promise<RouteResponse> {
  const given = { ...request };
  await parseParts(route, given);
  return route.handler(given);
}

const order = ['params', 'query', 'body'] as const satisfies readonly RequestPart[];

/**
 * Replaces the parts for which the route has schemas by what these make of them.
 * @returns undefined where no schema needs time
 * @throws GantryError as {@link callRoute} says
 */
export function parseParts(
  { schemas, contract }: Pick<CompiledRoute, 'schemas' | 'contract'>,
  parts: ParsedParts,
): Promise<void> | undefined {
  if (schemas.body?.takesArray === false && parts.body !== undefined) assertObject(parts.body);
  const details: ErrorDetail[] = [];
  const isEarlier = contract === undefined || contract.errors.includes('VALIDATION_FAILED');
  let code: 'VALIDATION_FAILED' | 'BAD_REQUEST' = isEarlier ? 'VALIDATION_FAILED' : 'BAD_REQUEST';
  const take = (part: RequestPart, result: SchemaResult<unknown>): void => {
    if (result.issues === undefined) parts[part] = result.value;
    else if (parts[part] === undefined && result.issues.every(({ path = [] }) => path.length === 0)) throw noObject();
    else {
      details.push(...result.issues.flatMap(detailsOf));
      if (part === 'body') code = contract?.refusal ?? 'VALIDATION_FAILED';
    }
  };
  const finish = (): void => {
    if (details.length > 0) throw notConforming(details, code);
  };
  let waiting: Promise<void> | undefined;
  for (const part of order) {
    const schema = schemas[part];
    // A file instead of the body.
    if (schema === undefined || (part === 'body' && parts.upload !== undefined)) continue;
    const result = schema.validate(parts[part]);
    if (result instanceof Promise || waiting !== undefined) {
      waiting = Promise.all([result, waiting]).then(([found]) => take(part, found));
    } else take(part, result);
  }
  if (waiting !== undefined) return waiting.then(finish);
  finish();
  return undefined;
}
