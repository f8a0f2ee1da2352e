import { runTogether, type InnerStatement, type TextRow } from '@gantry/core-database';
import type { ItemTypeDescriptor } from '../../compile/descriptor';
import type { IdentifiedRow, ReadRow } from '../../read/item-repository';
import { failUnlessStatement, metStatement } from '../../sql/rows';
import { assertRowWritten, conditionsOf, rightsBy, writtenCondition } from '../row-rights';
import type { WriteSession } from '../write-transaction';

/** A row that is written. */
export interface SettledRow {
  readonly id: string;
  /** The right by which it is; `none` asks no policy. */
  readonly right: 'create' | 'update' | 'none';
  /** Names of the fields that the caller has set. */
  readonly set: readonly string[];
}

/**
 * Runs what is left of a write in one round trip: its last statements, the rights on the rows as they are then, and, where a row is read
 * back, the end of the transaction.
 * @throws GantryError FORBIDDEN; what a statement has thrown
 */
export async function settleRows(
  { transaction }: WriteSession,
  type: ItemTypeDescriptor,
  rows: readonly SettledRow[],
  statements: readonly InnerStatement[],
  readBack?: ReadRow,
): Promise<IdentifiedRow | undefined> {
  const decided = type.rows === undefined ? [] : rows.flatMap(rowOfPolicy);
  const met = metStatement(type, conditionsOf(type));
  const all = [
    ...statements,
    ...decided.map(({ id }) => ({ sql: met, values: [id] })),
    ...(readBack === undefined ? [] : [readBack.statement]),
    ...decided.map(({ id, right, set }) => ({
      sql: failUnlessStatement(type, writtenCondition(type, right, set)),
      values: [id],
    })),
  ];
  const { results, failed } = await runTogether(transaction, all, readBack !== undefined);
  const found = results.slice(statements.length);
  for (const [index, { right, set }] of decided.entries()) {
    const result = found[index];
    // Without a result, a statement before it has failed.
    if (result !== undefined) assertRowWritten(type, rightsBy(type, metOf(result)), right, set);
  }
  if (failed !== undefined) throw failed;
  return readBack?.read(found[decided.length]?.[0]);
}

function rowOfPolicy({ right, ...row }: SettledRow) {
  return right === 'none' ? [] : [{ ...row, right }];
}

/** An array of booleans as PostgreSQL writes it. */
function metOf([row]: readonly TextRow[]): readonly boolean[] | undefined {
  return row?.[0]
    ?.slice(1, -1)
    .split(',')
    .map((one) => one === 't');
}
