import { isJsonObject } from '@gantry/core-common';
import type { OptionalAnswer, OptionalSchema, RequestSchema, Route, RouteExample } from '@gantry/plugin-api';

/** Problems of the documentation of a route. Plugins in plain JavaScript have no compiler that checks it. */
export function documentationProblems(route: Partial<Omit<Route, 'handler'>>): readonly string[] {
  const { description, tags, deprecated, examples } = route as Readonly<Record<string, unknown>>;
  return [
    ...(description === undefined || isText(description) ? [] : ['the description is not a text']),
    ...(tags === undefined || (Array.isArray(tags) && tags.every(isText)) ? [] : ['tags is not a list of names']),
    ...(deprecated === undefined || isDay(deprecated) ? [] : ['deprecated must be a day such as 2026-12-01']),
    ...(examples === undefined || isJsonObject(examples) ? [] : ['examples must be objects by name']),
    ...(isJsonObject(examples) ? exampleProblems(examples, route) : []),
  ];
}

function exampleProblems(
  examples: Readonly<Record<string, unknown>>,
  { body, answer }: Partial<Omit<Route, 'handler'>>,
): readonly string[] {
  return Object.entries(examples).flatMap(([name, example]) => {
    if (!isJsonObject(example)) return [`the example "${name}" is not an object`];
    const { summary: _summary, body: sent, answer: given, ...others } = example as RouteExample;
    return [
      ...Object.keys(others).map((member) => `the example "${name}" has the unknown member ${member}`),
      ...partProblems(name, 'body', sent, body),
      ...partProblems(name, 'answer', given, answer),
    ];
  });
}

function partProblems(
  name: string,
  part: 'body' | 'answer',
  value: unknown,
  schema: OptionalSchema | OptionalAnswer,
): readonly string[] {
  if (value === undefined) return [];
  if (schema === undefined) return [`the example "${name}" has the member ${part}, and the route has none`];
  if (!isSchema(schema)) return isText(value) ? [] : [`the answer of the example "${name}" is not a text`];
  const result = schema['~standard'].validate(value);
  // A later problem would come too late for the registration.
  if (result instanceof Promise) return [];
  const [issue] = result.issues ?? [];
  if (issue === undefined) return [];
  const path = (issue.path ?? []).map((key) => String(typeof key === 'object' ? key.key : key)).join('.');
  const where = path === '' ? '' : `${path}: `;
  return [`the ${part} of the example "${name}" does not conform: ${where}${issue.message}`];
}

function isSchema(schema: object): schema is RequestSchema {
  return '~standard' in schema;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isDay(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}
