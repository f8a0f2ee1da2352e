import { isHeldByOthers, reasonOf, sqlStateOf } from '../../database-errors';
import { quoteIdentifier, quoteIdentifiers } from '../../identifiers';
import type { ForeignKeyStep, IndexStep, SchemaFailure, SchemaStep } from '../plan/schema-plan';

/** Explains a rejected step to the operator of the platform, without values of rows, which do not belong into logs. */
export function describeStepFailure(step: SchemaStep, error: unknown): SchemaFailure {
  const sqlState = sqlStateOf(error) ?? '';
  const table = quoteIdentifier(step.table);
  if (sqlState === '23505' && step.kind === 'index') return duplicateRows(step);
  if (sqlState === '23503' && step.kind === 'foreign-key') return orphanRows(step);
  if (sqlState === '42501') {
    return {
      plugin: step.plugin,
      code: 'SCHEMA_NOT_PERMITTED',
      reason: `Table ${table}: the database user may not run the step: ${reasonOf(error)}.`,
      remedy: `Make the user owner of the tables and let it create new ones: GRANT CREATE ON SCHEMA public TO <user>; the step is: ${step.statement};`,
    };
  }
  if (isHeldByOthers(error)) {
    return {
      plugin: step.plugin,
      code: 'SCHEMA_TABLE_BUSY',
      reason: `Table ${table} is in use by other sessions, and could not be locked in time.`,
      remedy: `End long queries and transactions that use it, then start again; the step is: ${step.statement};`,
    };
  }
  return {
    plugin: step.plugin,
    code: 'SCHEMA_STEP_FAILED',
    reason: `Table ${table}: PostgreSQL rejects a step: ${reasonOf(error)}.`,
    remedy: `Fix the cause, then start again; the step is: ${step.statement};`,
  };
}

/** Rows that a unique index refuses. */
export function duplicateRows(step: IndexStep): SchemaFailure {
  const [table, columns] = [quoteIdentifier(step.table), quoteIdentifiers(step.columns)];
  return {
    plugin: step.plugin,
    code: 'SCHEMA_DUPLICATE_ROWS',
    reason: `Table ${table}: the values of ${columns} must be unique together, but several rows have the same values.`,
    remedy: `Find them with: SELECT ${columns}, count(*) FROM ${table} GROUP BY ${columns} HAVING count(*) > 1; change or delete them, then start again.`,
  };
}

/** Rows that a foreign key refuses. */
export function orphanRows(step: ForeignKeyStep): SchemaFailure {
  const [table, column, target] = [step.table, step.column, step.referencedTable].map(quoteIdentifier);
  return {
    plugin: step.plugin,
    code: 'SCHEMA_ORPHAN_ROWS',
    reason: `Table ${table}: ${column} must refer to ${target}, but rows contain ids that do not exist there.`,
    remedy: `Find them with: SELECT * FROM ${table} WHERE ${column} NOT IN (SELECT "id" FROM ${target}); correct them, then start again.`,
  };
}
