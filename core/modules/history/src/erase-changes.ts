import type { Database } from '@gantry/plugin-api';
import { changeTable } from '@gantry/core-database';
import { labelFieldsOf, type ItemTypeDescriptor } from '@gantry/core-content';

export interface Erasure {
  readonly type: ItemTypeDescriptor;
  readonly id: string;
  /** Erases the values of this field alone. */
  readonly field?: string;
}

export interface ErasureReport {
  /** Changes of the item of which something was erased. */
  readonly rows: number;
  /** Changes of other items that named it. */
  readonly references: number;
}

/**
 * Removes from the history what an item held: values before and after, and its label in the changes of items that refer to it. The
 * changes themselves stay, with version, action, time and actor.
 * @param all All types: any of them may refer to the item
 */
export async function eraseChanges(
  database: Database,
  all: readonly ItemTypeDescriptor[],
  { type, id, field }: Erasure,
): Promise<ErasureReport> {
  return database.transaction(async (transaction) => {
    const rows = await (field === undefined
      ? transaction.query(eraseAll, [type.table, id])
      : transaction.query(eraseField, [type.table, id, field]));
    const isNamed = field === undefined || labelFieldsOf(type).some(({ name }) => name === field);
    let references = 0;
    for (const { table, fields } of isNamed ? all : []) {
      for (const { name, reference } of fields) {
        if (reference?.target !== type.code) continue;
        references += (await transaction.query(eraseLabel, [table, name, id])).length;
      }
    }
    return { rows: rows.length, references };
  });
}

const eraseAll = `UPDATE public.${changeTable}
  SET values = '{}', previous = CASE WHEN previous IS NOT NULL THEN '{}'::jsonb END, labels = NULL
  WHERE item_table = $1 AND item_id = $2 AND (values <> '{}' OR previous <> '{}' OR labels IS NOT NULL) RETURNING 1`;

const eraseField = `UPDATE public.${changeTable}
  SET values = values - $3::text, previous = previous - $3::text, labels = nullif(labels - $3::text, '{}')
  WHERE item_table = $1 AND item_id = $2 AND (values ? $3 OR previous ? $3 OR labels ? $3) RETURNING 1`;

const eraseLabel = `UPDATE public.${changeTable}
  SET labels = nullif(jsonb_strip_nulls(jsonb_set(labels, ARRAY[$2::text], coalesce(nullif((labels -> $2::text) - $3::text, '{}'), 'null'))), '{}')
  WHERE item_table = $1 AND labels -> $2::text ? $3 RETURNING 1`;
