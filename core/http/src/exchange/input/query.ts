import type { IncomingMessage } from 'node:http';
import type { DetailCode } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';

const none: Readonly<Record<string, string>> = Object.freeze({});

/**
 * The query parameters of a request. Unknown and repeated ones are refused by name, so that a typing error
 * never passes as "no such filter".
 * @throws GantryError BAD_REQUEST
 */
export function parseQuery(request: IncomingMessage, known: readonly string[]): Readonly<Record<string, string>> {
  const url = request.url ?? '';
  const start = url.indexOf('?');
  if (start < 0 || start === url.length - 1) return none;
  const values: Record<string, string> = {};
  const unknown = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (!known.includes(name)) unknown.add(name);
    else if (Object.hasOwn(values, name)) repeated.add(name);
    else values[name] = value;
  }
  refuse('UNKNOWN_FIELD', unknown, known);
  refuse('DUPLICATE', repeated, known);
  return values;
}

/** Problems of a parameter, by its code in the details of the error. */
const problems = { UNKNOWN_FIELD: 'Unknown', DUPLICATE: 'Repeated' } as const satisfies Partial<
  Record<DetailCode, string>
>;

function refuse(code: keyof typeof problems, names: ReadonlySet<string>, known: readonly string[]): void {
  if (names.size === 0) return;
  const expected = describeKnown(known);
  const problem = `${problems[code]} query parameter`;
  const paths = [...names].slice(0, 10).map((name) => truncate(name));
  throw new GantryError('BAD_REQUEST', `${problem} ${paths.map((path) => `"${path}"`).join(', ')}. ${expected}.`, {
    details: paths.map((path) => ({ path, code, message: `${problem} "${path}"` })),
  });
}

function describeKnown(known: readonly string[]): string {
  if (known.length === 0) return 'This path accepts none';
  return known.length === 1 ? `This path accepts only ${known[0]}, once` : `Known are ${known.join(', ')}, each once`;
}
