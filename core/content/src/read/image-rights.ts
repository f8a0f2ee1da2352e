import { createHash } from 'node:crypto';
import { quoteIdentifier, type HostDatabase } from '@gantry/core-database';
import { onceFor } from '@gantry/core-common';
import type { ItemTypes } from '../compile/item-types';
import { maxImageAddressBytes } from '../compile/tables';
import type { Policy } from '../policy/policy';
import { imageColumnsOf, imageStatement, type ImageColumn } from '../sql/image-statement';

/** Finds out who may read an image: of its items, not of the image itself. */
export interface ImageRights {
  /** Whether the policy shows an IMAGE field of an item that has one of the addresses. */
  isShown(policy: Policy, addresses: readonly string[]): Promise<boolean>;
  /** Whether any IMAGE field has one of the addresses, also of plugins that are not in use, and of fields that were removed. */
  isUsed(addresses: readonly string[]): Promise<boolean>;
}

/** An image is readable for this long after a change of its items, at most; with the time that rights are kept, 5 seconds. */
const keptMs = 4_000;
/** An image is looked for again soon: its item may be saved at this moment. */
const keptMissingMs = 1_000;
const maxKept = 10_000;

interface Kept {
  readonly answer: Promise<boolean>;
  until: number;
}

/** @param types all of the platform */
export function createImageRights(
  database: Pick<HostDatabase, 'query'>,
  types: ItemTypes,
  now: () => number = () => performance.now(),
): ImageRights {
  const kept = new Map<string, Kept>();
  const numberOf = createNumbers();
  const keep = (owner: object, addresses: readonly string[], find: () => Promise<boolean>): Promise<boolean> => {
    const key = `${numberOf(owner)} ${hashOf(addresses)}`;
    const known = kept.get(key);
    if (known !== undefined && now() < known.until) return known.answer;
    const asked = now();
    const entry: Kept = { answer: find(), until: asked + keptMs };
    entry.answer.then(
      (found) => {
        if (!found) entry.until = asked + keptMissingMs;
      },
      () => {
        entry.until = 0;
      },
    );
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.size > maxKept ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return entry.answer;
  };
  return {
    isShown: (policy, addresses) =>
      keep(policy, addresses, () => {
        const shown = policy.types.served().map(({ descriptor }) => descriptor);
        return hasImage(database, imageColumnsOf(shown), addresses);
      }),
    isUsed: (addresses) =>
      keep(types, addresses, async () => hasImage(database, await allImageColumns(database, types), addresses)),
  };
}

/** One statement; none where there is no IMAGE field. */
async function hasImage(
  database: Pick<HostDatabase, 'query'>,
  columns: readonly ImageColumn[],
  addresses: readonly string[],
): Promise<boolean> {
  if (columns.length === 0) return false;
  const [row] = await database.query({ sql: imageStatement(columns), values: [addresses] });
  return row?.[0] === true;
}

/** Those of the types, and the columns with an index of images that belong to none of them. */
async function allImageColumns(
  database: Pick<HostDatabase, 'query'>,
  types: ItemTypes,
): Promise<readonly ImageColumn[]> {
  const known = imageColumnsOf(types.all.map(({ descriptor, stored = descriptor }) => stored));
  const names = new Set(known.map(({ table, column }) => `${table}.${column}`));
  const rows = await database.query({
    sql: indexedColumns,
    values: [`^\\(octet_length\\(.+\\) <= ${maxImageAddressBytes}\\)$`],
  });
  const others = rows
    .map(([table, column, type]) => ({ table: String(table), column: String(column), type: String(type) }))
    .filter(({ table, column }) => !names.has(`${table}.${column}`))
    .map((other) => ({ ...other, rows: quoteIdentifier(other.table) }));
  return [...known, ...others];
}

/** Only indexes of images have this condition. */
const indexedColumns = `SELECT t.relname, a.attname, format_type(a.atttypid, a.atttypmod)
  FROM pg_index i
  JOIN pg_class t ON t.oid = i.indrelid
  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
  WHERE t.relnamespace = 'public'::regnamespace AND i.indnatts = 1 AND i.indpred IS NOT NULL
    AND pg_get_expr(i.indpred, i.indrelid) ~ $1`;

/** Of the same length for all of them. */
function hashOf(addresses: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(addresses)).digest('base64');
}

/** A number for each object, which is kept no longer than the object. */
function createNumbers(): (owner: object) => number {
  let last = 0;
  return onceFor(() => {
    last += 1;
    return last;
  });
}
