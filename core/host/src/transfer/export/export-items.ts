import { quoteIdentifier } from '../../database/identifiers';
import type { BoundCriterion } from '../../items/criteria';
import { conditionsOf, whereClause } from '../../items/sql/where';
import { exportColumn, idColumn, type ExportColumn } from './export-column';
import { exportCriteria } from './export-criteria';
import type { ExportOptions } from './export-options';
import { csvFormat, jsonArrayFormat, jsonLinesFormat, type RowFormat } from './format-rows';

/**
 * The text of a file with the items of a type, in the order in which they were made, as `importItems` reads it. Items come
 * from one snapshot and pass through in batches, however many there are.
 * @throws TransferError when an item cannot be named, GantryError when a condition does not fit or the database is away
 */
export async function* exportItems(options: ExportOptions): AsyncGenerator<string, void, undefined> {
  const columns = exportColumns(options);
  const format = formatOf(options, columns);
  const { sql, values } = statement(options, columns, await exportCriteria(options));
  // Whoever reads may be a person with a pager.
  const batches = options.database.streamRows({ sql, values, signal: options.signal, stallTimeoutMs: longestPause });
  yield format.head;
  let items = 0;
  for await (const rows of batches) {
    yield format.rows(rows, items === 0);
    items += rows.length;
    options.onProgress?.(items);
  }
  yield format.tail;
}

const longestPause = 24 * 60 * 60 * 1000;

function exportColumns({ type, types, access, ids }: ExportOptions): readonly ExportColumn[] {
  const columns = access
    .visibleFields(type)
    .map((field, position) => exportColumn(field, position, { type, types, ids }));
  return ids ? [idColumn, ...columns] : columns;
}

function formatOf({ format, delimiter, safeCsv }: ExportOptions, columns: readonly ExportColumn[]): RowFormat {
  switch (format) {
    case 'csv':
      return csvFormat(columns, delimiter, safeCsv);
    case 'json':
      return jsonArrayFormat(columns);
    case 'jsonl':
      return jsonLinesFormat(columns);
  }
}

function statement({ type }: ExportOptions, columns: readonly ExportColumn[], criteria: readonly BoundCriterion[]) {
  const { conditions, values } = conditionsOf(criteria);
  const selected = columns.map(({ expression }) => expression).join(', ');
  const joins = columns.map(({ join }) => join).join('');
  const sql = `SELECT ${selected} FROM ${quoteIdentifier(type.table)} t${joins}${whereClause(conditions)} ORDER BY t.id`;
  return { sql, values };
}
