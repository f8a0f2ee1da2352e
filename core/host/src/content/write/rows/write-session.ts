import type { Sequelize, Transaction } from 'sequelize';
import type { Scope } from '../../policy/scope';
import type { WriteHooks } from './write-hooks';

/** The transaction of a write, and in whose name it writes. */
export interface WriteSession {
  readonly scope: Scope;
  readonly transaction: Transaction;
  readonly hooks: WriteHooks | undefined;
  /** Rows as objects. */
  query<R extends object>(sql: string, values?: readonly unknown[]): Promise<readonly R[]>;
}

interface SessionParts {
  readonly sequelize: Sequelize;
  readonly scope: Scope;
  readonly hooks?: WriteHooks | undefined;
}

export function sessionIn({ sequelize, scope, hooks }: SessionParts, transaction: Transaction): WriteSession {
  return {
    scope,
    transaction,
    hooks,
    async query<R extends object>(sql: string, values?: readonly unknown[]) {
      const bind = values === undefined ? {} : { bind: [...values] };
      const [rows] = await sequelize.query(sql, { transaction, ...bind });
      return rows as readonly R[];
    },
  };
}
