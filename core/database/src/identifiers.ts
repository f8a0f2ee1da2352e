import { createHash } from 'node:crypto';

/** PostgreSQL cuts longer identifiers off silently. */
const identifierBytes = 63;

/** A name as an SQL identifier: quoted, whatever it contains. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Names, quoted and separated by commas. */
export function quoteIdentifiers(names: readonly string[]): string {
  return names.map(quoteIdentifier).join(', ');
}

/** `camelCase` as `snake_case`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** Joins the parts with `_`; a name over 63 bytes becomes a stable short one that ends with a hash of the whole. */
export function identifier(...parts: readonly string[]): string {
  const name = parts.join('_').replaceAll('-', '_');
  if (Buffer.byteLength(name) <= identifierBytes) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return `${Buffer.from(name)
    .subarray(0, identifierBytes - 11)
    .toString()}_${hash}`;
}

/** A quoted SQL text constant. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
