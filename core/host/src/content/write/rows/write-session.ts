import type { Sequelize, Transaction } from 'sequelize';
import type { Scope } from '../../policy/scope';

/** The transaction of a write, and in whose name it writes. */
export interface WriteSession {
  readonly scope: Scope;
  readonly transaction: Transaction;
  /** Rows as objects. */
  query<R extends object>(sql: string, values?: readonly unknown[]): Promise<readonly R[]>;
}

export function sessionIn(
  { sequelize, scope }: { readonly sequelize: Sequelize; readonly scope: Scope },
  transaction: Transaction,
): WriteSession {
  return {
    scope,
    transaction,
    async query<R extends object>(sql: string, values?: readonly unknown[]) {
      const bind = values === undefined ? {} : { bind: [...values] };
      const [rows] = await sequelize.query(sql, { transaction, ...bind });
      return rows as readonly R[];
    },
  };
}
