import type { ClientBase, CustomTypesConfig } from 'pg';
import type { Transaction } from 'sequelize';
import type { HostDatabase } from '../create-database';
import { translateOutdated } from '../database-errors';
import type { TextRow } from './prepared-query';

/** Runs statements on the connection of a transaction of Sequelize, which would give rows as objects and values parsed. */
export function transactionStatements(transaction: Transaction): {
  readonly runStatement: HostDatabase['queryPrepared'];
  readonly query: HostDatabase['query'];
} {
  const { connection } = transaction as unknown as { readonly connection: ClientBase };
  const run = async (text: string, values: readonly unknown[] = [], types?: CustomTypesConfig) => {
    const statement = {
      text,
      values: [...values],
      rowMode: 'array' as const,
      ...(types === undefined ? {} : { types }),
    };
    try {
      return (await connection.query<unknown[]>(statement)).rows;
    } catch (error) {
      throw translateOutdated(error);
    }
  };
  return {
    runStatement: async ({ sql, values }) => (await run(sql, values, asText)) as readonly TextRow[],
    query: ({ sql, values }) => run(sql, values),
  };
}

const asText: CustomTypesConfig = { getTypeParser: () => (value: string) => value };
