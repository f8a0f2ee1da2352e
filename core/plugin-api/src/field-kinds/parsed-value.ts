import type { ParsedValue, RefusedValue, ValueProblem } from './field-kind';

/** The result of reading a value that is accepted. @public */
export function accepted<T>(value: T): ParsedValue<T> {
  return { ok: true, value };
}

/**
 * The result of reading a value that is not accepted.
 * @param code one of the detail codes, such as `WRONG_TYPE` or `OUT_OF_RANGE`
 * @param message continues "<field> …", for example `must be a calendar day such as 2026-03-01`
 * @public
 */
export function refused(code: string, message: string): RefusedValue {
  return { ok: false, code, message };
}

/**
 * The result of reading a value of which parts are not accepted; each is a detail of the answer, with its place in the path.
 * @example
 * refusedWithin([{ path: '[2].url', code: 'REQUIRED', message: 'is required' }]);
 * @public
 */
export function refusedWithin(problems: readonly [ValueProblem, ...ValueProblem[]]): RefusedValue {
  const [{ path, code, message }] = problems;
  return { ok: false, code, message: `has a problem at ${path}, which ${message}`, problems };
}

/**
 * The digits of a number of a payload, without loss; undefined for what is no number. The platform gives numbers that JavaScript
 * would round as objects.
 * @public
 */
export function exactNumberText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return isExactNumber(value) ? value.toString() : undefined;
}

/** Recognised by brand: a plugin may have another copy of the library. */
function isExactNumber(value: unknown): value is { toString(): string } {
  return typeof value === 'object' && value !== null && 'isLosslessNumber' in value;
}
