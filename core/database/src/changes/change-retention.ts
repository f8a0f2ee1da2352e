import { z } from 'zod';
import { insertSetting, lockSetting, readSetting, writeSetting } from '../settings';

/** For how many months changes are kept. */
const schema = z.object({
  /** Of all types; without it, everything is kept. */
  months: z.number().int().positive().optional(),
  /** Shorter ones, by the code of the type. The table finds the changes also while the plugin of the type is not in use. */
  types: z.record(z.string(), z.object({ table: z.string(), months: z.number().int().positive() })).default({}),
});

export type ChangeRetention = Readonly<z.infer<typeof schema>>;

/** Runs a statement and gives its rows. */
export type Ask = <T extends object>(sql: string, values?: readonly unknown[]) => Promise<readonly T[]>;

const name = 'change-retention';

/** Everything is kept unless something else was stored. */
export async function readRetention(ask: Ask): Promise<ChangeRetention> {
  return schema.parse((await readSetting({ query: ask }, name)) ?? {});
}

/**
 * Stores what `change` makes of the retention, where nobody else changes it meanwhile.
 * @param ask Statements of one transaction
 */
export async function changeRetention(
  ask: Ask,
  change: (stored: ChangeRetention) => ChangeRetention,
): Promise<ChangeRetention> {
  const database = { query: ask };
  await insertSetting(database, name, {});
  await lockSetting(database, name);
  const changed = schema.parse(change(await readRetention(ask)));
  await writeSetting(database, name, changed);
  return changed;
}

/** The time so many months ago. */
export function monthsBefore(now: Date, months: number): Date {
  const before = new Date(now);
  before.setUTCMonth(now.getUTCMonth() - months);
  // 31 May less three months would be 3 March.
  if (before.getUTCDate() !== now.getUTCDate()) before.setUTCDate(0);
  return before;
}
