import { literal } from '../identifiers';
import type { ChangeSpec } from '../table-spec';

/** Targets of the reference fields of a table of items, from the changes after a sequence on. The labels of changes do not say them. */
export const targetTable = 'gantry_change_target';

/** The row of an empty field name says that the fields of the table are noted. */
export const createTargetTable = `CREATE TABLE IF NOT EXISTS public.${targetTable} (
  item_table text NOT NULL,
  field text NOT NULL,
  since bigint NOT NULL,
  target text NOT NULL,
  PRIMARY KEY (item_table, field, since))`;

/**
 * Notes them after the triggers are made, whose lock keeps items from being written. Fields of a table that was not noted before have the targets from the first
 * change on: those of earlier versions of the platform are not known.
 */
export function noteTargets(table: string, { fields }: ChangeSpec): string {
  const rows = fields.map(({ name, target }) => `(${literal(name)}, ${literal(target?.table ?? '')})`);
  const noted = `FROM public.${targetTable} t WHERE t.item_table = ${literal(table)}`;
  const last = `(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM public.gantry_change_sequence)`;
  return (
    `INSERT INTO public.${targetTable} (item_table, field, since, target)` +
    ` SELECT ${literal(table)}, f.name, CASE WHEN EXISTS (SELECT ${noted} AND t.field = '') THEN ${last} ELSE 0 END, f.target` +
    ` FROM (VALUES ${["('', '')", ...rows].join(', ')}) AS f (name, target)` +
    // Fields that are and were no references are not noted.
    ` WHERE (f.name = '' OR f.target <> '' OR EXISTS (SELECT ${noted} AND t.field = f.name))` +
    ` AND f.target IS DISTINCT FROM (SELECT t.target ${noted} AND t.field = f.name ORDER BY t.since DESC LIMIT 1)` +
    ' ON CONFLICT (item_table, field, since) DO UPDATE SET target = excluded.target'
  );
}
