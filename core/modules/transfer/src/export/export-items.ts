import type { Statement } from '@gantry/core-database';
import {
  assertMay,
  typeInScope,
  type Scope,
  asBadValue,
  conditionsOf,
  whereClause,
  type Conditions,
  rowsOf,
} from '@gantry/core-content';
import { exportColumn, idColumn, type ExportColumn } from './export-column';
import { exportCriteria } from './export-criteria';
import type { ExportOptions } from './export-options';
import { csvFormat, jsonArrayFormat, jsonLinesFormat, type RowFormat } from './format-rows';

/**
 * The text of a file with the items of a type, in the order in which they were made, as `importItems` reads it. Items come
 * from one snapshot and pass through in batches, however many there are. Nothing comes before the first items have been
 * read and all references were found to have a key.
 * @throws TransferError when an item cannot be named, GantryError when a condition does not fit or the database is unavailable
 */
export async function* exportItems(scope: Scope, given: ExportOptions): AsyncGenerator<string, void, undefined> {
  try {
    yield* piecesOf(scope, given);
  } catch (error) {
    asBadValue(error);
  }
}

async function* piecesOf(scope: Scope, given: ExportOptions): AsyncGenerator<string, void, undefined> {
  const seen = typeInScope(scope, given.type.code);
  assertMay(scope, 'export', seen);
  const options = { ...given, type: seen.descriptor };
  const columns = exportColumns(scope, options);
  const format = formatOf(options, columns);
  const chosen = await conditionsOfExport(scope, options);
  await assertNamed(options, columns, format, chosen);
  // The reader may be a person with a pager.
  const reader = options.onStalled === undefined ? { stallTimeoutMs: longestPause } : { onStalled: options.onStalled };
  const { signal } = options;
  let items = 0;
  for await (const rows of options.database.streamRows({ ...statement(options, columns, chosen), ...reader, signal })) {
    const text = format.rows(rows, items === 0);
    yield items === 0 ? format.head + text : text;
    items += rows.length;
    options.onProgress?.(items);
  }
  yield items === 0 ? format.head + format.tail : format.tail;
}

const longestPause = 24 * 60 * 60 * 1000;

function exportColumns(scope: Scope, { type, ids }: ExportOptions): readonly ExportColumn[] {
  const { types } = scope.policy;
  // A file has what an import can write.
  const fields = type.fields.filter(({ computed }) => computed === undefined);
  const columns = fields.map((field, position) => exportColumn(field, position, { type, types, ids }));
  return ids ? [idColumn, ...columns] : columns;
}

function formatOf(
  { format, delimiter, safeCsv, keepEmpty = false }: ExportOptions,
  columns: readonly ExportColumn[],
): RowFormat {
  switch (format) {
    case 'csv':
      return csvFormat(columns, { delimiter, safeCsv, keepEmpty });
    case 'json':
      return jsonArrayFormat(columns);
    case 'jsonl':
      return jsonLinesFormat(columns);
  }
}

async function conditionsOfExport(scope: Scope, options: ExportOptions): Promise<Conditions> {
  const criteria = [...(options.criteria ?? []), ...(await exportCriteria(scope, options))];
  const { conditions: compared, values } = conditionsOf(criteria);
  const { rows } = options.type;
  const conditions = rows?.export === undefined ? compared : [...compared, rows.export];
  if (options.only === undefined) return { conditions, values };
  return {
    conditions: [...conditions, `t.id = ANY($${values.length + 1}::bigint[])`],
    values: [...values, options.only],
  };
}

/**
 * Formats the first item that refers to one without a key, which fails before anything is written. Where every key is
 * of required fields, there is nothing to look for.
 */
async function assertNamed(
  options: ExportOptions,
  columns: readonly ExportColumn[],
  format: RowFormat,
  { conditions, values }: Conditions,
): Promise<void> {
  const unnamed = columns.flatMap((column) => (column.unnamed === undefined ? [] : [column.unnamed]));
  if (unnamed.length === 0) return;
  const chosen = { conditions: [...conditions, `(${unnamed.join(' OR ')})`], values };
  const { sql } = statement(options, columns, chosen);
  const { signal, database } = options;
  for await (const rows of database.streamRows({ sql: `${sql} LIMIT 1`, values, signal })) format.rows(rows, true);
}

function statement(
  { type }: ExportOptions,
  columns: readonly ExportColumn[],
  { conditions, values }: Conditions,
): Statement {
  const selected = columns.map(({ expression }) => expression).join(', ');
  const joins = columns.map(({ join }) => join).join('');
  const sql = `SELECT ${selected} FROM ${rowsOf(type)} t${joins}${whereClause(conditions)} ORDER BY t.id`;
  return { sql, values };
}
