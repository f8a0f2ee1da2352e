import type { Sequelize, Transaction, TransactionOptions } from 'sequelize';
import { literal } from '../common/naming';
import { originSetting } from './changes/change-tables';

/** Options of a transaction of Sequelize that changes items. */
export interface OriginOptions extends TransactionOptions {
  /** Who writes, for the change feed. */
  readonly origin: string;
}

/** Members that Sequelize's types leave out. */
interface StartsTransactions {
  readonly queryGenerator: { startTransactionQuery(transaction: StartedTransaction): string };
}

type StartedTransaction = Transaction & { readonly parent?: object; readonly options: Partial<OriginOptions> };

/** Transactions say who writes in the same round trip in which they begin. */
export function sayOrigin(sequelize: Sequelize): void {
  const { queryGenerator } = sequelize.getQueryInterface() as unknown as StartsTransactions;
  const start = queryGenerator.startTransactionQuery.bind(queryGenerator);
  queryGenerator.startTransactionQuery = (transaction) => {
    const { origin } = transaction.options;
    const begin = start(transaction);
    if (origin === undefined || transaction.parent !== undefined) return begin;
    return `${begin} SET LOCAL ${originSetting} = ${literal(origin)};`;
  };
}
