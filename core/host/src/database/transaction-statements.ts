import type { ClientBase, CustomTypesConfig } from 'pg';
import type { Transaction } from 'sequelize';
import type { HostDatabase } from './create-database';
import type { TextRow } from './prepared-query';

/** Runs statements on the connection of a transaction of Sequelize, which would give rows as objects and values parsed. */
export function transactionStatements(transaction: Transaction): {
  readonly runStatement: HostDatabase['queryPrepared'];
  readonly query: HostDatabase['query'];
} {
  const { connection } = transaction as unknown as { readonly connection: ClientBase };
  const run = async (text: string, values: readonly unknown[] = [], types?: CustomTypesConfig) => {
    const { rows } = await connection.query<unknown[]>({
      text,
      values: [...values],
      rowMode: 'array',
      ...(types === undefined ? {} : { types }),
    });
    return rows;
  };
  return {
    runStatement: async ({ sql, values }) => (await run(sql, values, asText)) as readonly TextRow[],
    query: ({ sql, values }) => run(sql, values),
  };
}

const asText: CustomTypesConfig = { getTypeParser: () => (value: string) => value };
