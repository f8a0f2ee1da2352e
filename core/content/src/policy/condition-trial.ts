import {
  isStatementTimeout,
  isUnavailable,
  quoteIdentifier,
  translateUnavailable,
  valueError,
  type RunQuery,
} from '@gantry/core-database';

/** A condition of a role as SQL over the alias `t` of the table. */
export interface TriedCondition {
  readonly table: string;
  readonly sql: string;
}

/**
 * Finds conditions with a value that PostgreSQL refuses, which a field kind may accept. They would fail every statement on the
 * items of the type.
 */
export interface ConditionTrial {
  /** Has PostgreSQL read the values. @throws GantryError UNAVAILABLE */
  run(conditions: readonly TriedCondition[]): Promise<void>;
  /** Whether a trial has found that PostgreSQL refuses its value. */
  isRefused(condition: TriedCondition): boolean;
}

/** Of conditions on the user, there is one for each user. */
const maxKept = 1_000;

export function createConditionTrial(query: RunQuery): ConditionTrial {
  const refused = new Set<string>();
  return {
    async run(conditions) {
      for (const condition of await refusedAmong(query, conditions)) {
        refused.add(keyOf(condition));
        const [oldest] = refused.size > maxKept ? refused : [];
        if (oldest !== undefined) refused.delete(oldest);
      }
    },
    isRefused: (condition) => refused.has(keyOf(condition)),
  };
}

function keyOf({ table, sql }: TriedCondition): string {
  return `${table} ${sql}`;
}

/** One statement for all; where it fails, for each half. */
async function refusedAmong(
  query: RunQuery,
  conditions: readonly TriedCondition[],
): Promise<readonly TriedCondition[]> {
  if (conditions.length === 0 || (await areRead(query, conditions))) return [];
  if (conditions.length === 1) return conditions;
  const half = Math.ceil(conditions.length / 2);
  return [
    ...(await refusedAmong(query, conditions.slice(0, half))),
    ...(await refusedAmong(query, conditions.slice(half))),
  ];
}

async function areRead(query: RunQuery, conditions: readonly TriedCondition[]): Promise<boolean> {
  try {
    await query({ sql: `SELECT ${conditions.map(evaluation).join(', ')}`, values: [] });
    return true;
  } catch (error) {
    if (isUnavailable(error) || isStatementTimeout(error)) throw translateUnavailable(error);
    return valueError(error) === undefined;
  }
}

/** Of an item that has no values. With OFFSET, PostgreSQL does not know that, and so reads the value of the condition. */
function evaluation({ table, sql }: TriedCondition): string {
  return `EXISTS (SELECT FROM (SELECT (NULL::${quoteIdentifier(table)}).* OFFSET 0) t WHERE ${sql})`;
}
