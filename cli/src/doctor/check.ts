/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  /** `warn`: it works, but not for long or not as one may think. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** The remedy; only where something is wrong. */
  readonly remedy?: string;
}

export function ok(name: string, message: string): Check {
  return { name, status: 'ok', message };
}

export function warn(name: string, message: string, remedy: string): Check {
  return { name, status: 'warn', message, remedy };
}

export function fail(name: string, message: string, remedy: string): Check {
  return { name, status: 'fail', message, remedy };
}

/** A check that failed with an error, in its words. */
export function failedWith(name: string, error: unknown, remedy: string): Check {
  const message = error instanceof Error ? error.message : String(error);
  const own = typeof error === 'object' && error !== null && 'remedy' in error ? String(error.remedy) : remedy;
  return fail(name, message, own);
}
