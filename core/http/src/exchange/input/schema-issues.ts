import type { ErrorDetail } from '@gantry/contracts';
import { GantryError, type SchemaIssue } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';

const maxDetails = 50;

/** @throws GantryError BAD_REQUEST for a body that is no JSON object */
export function assertObject(body: unknown): void {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return;
  throw noObject();
}

/** The error for a body that is no JSON object. */
export function noObject(): GantryError {
  return new GantryError('BAD_REQUEST', 'The body must be a JSON object.');
}

/** The error for a request that does not conform to its schemas. */
export function notConforming(
  details: readonly ErrorDetail[],
  code: 'VALIDATION_FAILED' | 'BAD_REQUEST' = 'VALIDATION_FAILED',
): GantryError {
  const messages = details.slice(0, maxDetails).map(({ message }) => message);
  return new GantryError(code, `${messages.join('; ')}.`, { details: details.slice(0, maxDetails) });
}

/** Additions of zod to an issue. Without it, an entry is less precise. */
interface ZodIssue extends SchemaIssue {
  readonly code?: unknown;
  readonly origin?: unknown;
  readonly keys?: unknown;
  /** Of a union: what each alternative finds wrong. */
  readonly errors?: unknown;
}

/**
 * The details of an issue: one entry for each unknown member; zod reports those of an object together. Of a union, those of the alternative
 * that is meant.
 */
export function detailsOf(issue: ZodIssue): readonly ErrorDetail[] {
  const meant = issue.code === 'invalid_union' ? meantOf(issue.errors as readonly (readonly ZodIssue[])[]) : undefined;
  if (meant !== undefined) {
    return meant.flatMap((one) => detailsOf({ ...one, path: [...(issue.path ?? []), ...(one.path ?? [])] }));
  }
  const path = pathOf(issue);
  if (Array.isArray(issue.keys) && issue.keys.length > 0) {
    return issue.keys.slice(0, maxDetails).map((key) => {
      const name = truncate(path === '' ? String(key) : `${path}.${String(key)}`);
      return { path: name, code: 'UNKNOWN_FIELD', message: `${name} is not a member of the request` };
    });
  }
  return [{ path, code: codeOf(issue), message: messageOf(path, issue.message) }];
}

/** The alternative whose members fit best; undefined where several fit as well. */
function meantOf(alternatives: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] | undefined {
  const [best, next] = alternatives
    .map((issues) => ({ issues, misfits: misfits(issues) }))
    .toSorted((one, other) => one.misfits - other.misfits);
  return best !== undefined && next !== undefined && best.misfits < next.misfits ? best.issues : undefined;
}

/** How many members are unknown, missing or of another type; infinite for a value of another type. */
function misfits(issues: readonly ZodIssue[]): number {
  const counted = issues.map(({ code, keys, path = [] }) => {
    if (path.length === 0) return Array.isArray(keys) ? keys.length : Number.POSITIVE_INFINITY;
    return path.length === 1 && code === 'invalid_type' ? 1 : 0;
  });
  return counted.reduce((sum, count) => sum + count, 0);
}

const zodCodes: Readonly<Record<string, string>> = {
  invalid_type: 'WRONG_TYPE',
  invalid_format: 'PATTERN',
  'too_big string': 'TOO_LONG',
  'too_big array': 'TOO_MANY',
  'too_small array': 'TOO_FEW',
};

function codeOf({ code, origin, params }: ZodIssue): string {
  const given = params?.['code'];
  if (typeof given === 'string') return given;
  return zodCodes[`${String(code)} ${String(origin)}`] ?? zodCodes[String(code)] ?? 'VALUE_INVALID';
}

/** `items[2].price` */
function pathOf({ path = [] }: SchemaIssue): string {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step));
  const text = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return truncate(text.replace(/^\./, ''));
}

/** Libraries' own messages do not name the value. */
function messageOf(path: string, message: string): string {
  const sentence = message.replace(/\.$/, '');
  return path === '' || sentence.startsWith(path) ? sentence : `${path}: ${sentence}`;
}
