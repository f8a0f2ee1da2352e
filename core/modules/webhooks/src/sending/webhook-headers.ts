import { GantryError, invalidValue } from '@gantry/plugin-api';

/** Header fields as a change gives them; null keeps the value. */
export type WantedHeaders = Readonly<Record<string, string | null>>;

export interface StoredHeaders {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The header fields of a webhook after a change. Their values are not shown, so they are not sent either to another origin than
 * the one that they were given for.
 * @returns undefined for those that are stored
 * @throws GantryError VALIDATION_FAILED naming each field whose value has to be given
 */
export function changedHeaders(
  { url, headers: stored }: StoredHeaders,
  nextUrl: string,
  wanted: WantedHeaders | undefined,
): Readonly<Record<string, string>> | undefined {
  const isMoved = originOf(nextUrl) !== originOf(url);
  const kept = wanted === undefined ? Object.keys(stored) : Object.keys(wanted).filter((name) => wanted[name] === null);
  if (isMoved && kept.length > 0) throw notSentTo(originOf(nextUrl), kept);
  if (wanted === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => {
      const next = value ?? (Object.hasOwn(stored, name) ? stored[name] : undefined);
      if (next === undefined) throw noValue(name);
      return [name, next];
    }),
  );
}

/** Scheme, host and port. */
export function originOf(url: string): string {
  return new URL(url).origin;
}

function notSentTo(origin: string, names: readonly string[]): GantryError {
  const message = `The stored values of header fields are not sent to another origin. For ${origin}, give the value of ${names.join(', ')} again, or leave the field out of headers.`;
  return new GantryError('VALIDATION_FAILED', message, {
    details: names.map((name) => ({
      path: `headers.${name}`,
      code: 'VALUE_INVALID',
      message: `Give the value again, or remove the field: it is not sent to another origin.`,
    })),
  });
}

function noValue(name: string): GantryError {
  const path = `headers.${name}`;
  return invalidValue(
    path,
    `${path} is null, which keeps the value, but the webhook has no such header field. Give its value`,
  );
}
