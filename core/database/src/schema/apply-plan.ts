import type { Logger } from '@gantry/plugin-api';
import type { ClientBase } from 'pg';
import { isUnavailable } from '../database-errors';
import { quoteIdentifier } from '../identifiers';
import { describeStepFailure } from './failures/describe-step-failure';
import { missingReference } from './plan/plan-schema';
import type { IndexStep, SchemaFailure, SchemaStep } from './plan/schema-plan';

export interface ApplyOptions {
  readonly logger: Logger;
  /** Milliseconds that a step waits for a table that others use. */
  readonly tableTimeoutMs: number;
}

export interface AppliedPlan {
  readonly applied: readonly SchemaStep[];
  readonly failures: readonly SchemaFailure[];
}

/**
 * Runs the steps of a plan. The steps of one table are one transaction: a table is never half made, and the locks of
 * thousands of tables are never held at once. A step that fails fails its plugin; the steps of other plugins continue.
 *
 * Creating an index keeps writers (not readers) of its table waiting until it is built, and so does a new foreign key.
 * That is accepted at start; an index on a large table that is in use can be made beforehand, under the name that
 * `gantry migrate plan` prints, with CREATE INDEX CONCURRENTLY.
 * @throws when the connection to the database is lost
 */
export async function applyPlan(
  client: ClientBase,
  steps: readonly SchemaStep[],
  { logger, tableTimeoutMs }: ApplyOptions,
): Promise<AppliedPlan> {
  const applied: SchemaStep[] = [];
  const failures: SchemaFailure[] = [];
  const notMade = new Set<string>();
  const failed = new Set<string>();
  for (const all of groupByTable(steps)) {
    const group = all.filter((step) => !isAwaiting(step, failed));
    const blocked = group.flatMap((step) => blockedBy(step, notMade));
    const failure = blocked.length > 0 ? blocked : await applyTogether(client, group, tableTimeoutMs);
    if (failure.length === 0) {
      applied.push(...group);
      for (const { plugin, table, kind, statement } of group) {
        logger.debug({ plugin, table, kind, statement }, 'schema step');
      }
      continue;
    }
    failures.push(...failure);
    for (const { plugin } of failure) failed.add(plugin);
    for (const step of group) if (step.kind === 'table') notMade.add(step.table);
  }
  return { applied, failures };
}

/** It would name extra columns that could not be added. */
function isAwaiting(step: SchemaStep, failed: ReadonlySet<string>): boolean {
  if (step.kind === 'changes') return step.needs?.some((plugin) => failed.has(plugin)) === true;
  return isConcurrent(step) && failed.has(step.plugin);
}

function isConcurrent(step: SchemaStep): step is IndexStep {
  return step.kind === 'index' && step.isConcurrent === true;
}

/** Consecutive steps of one table. */
function groupByTable(steps: readonly SchemaStep[]): readonly (readonly SchemaStep[])[] {
  const groups: SchemaStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    const isSame = last?.[0]?.table === step.table && last[0].plugin === step.plugin;
    if (last?.[0] !== undefined && isSame && ![last[0], step].some(isConcurrent)) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

function blockedBy(step: SchemaStep, notMade: ReadonlySet<string>): readonly SchemaFailure[] {
  if (step.kind !== 'foreign-key') return [];
  const target = [step.table, step.referencedTable].find((table) => notMade.has(table));
  return target === undefined ? [] : [missingReference(step.plugin, step.table, step.column, target)];
}

async function applyTogether(
  client: ClientBase,
  steps: readonly SchemaStep[],
  tableTimeoutMs: number,
): Promise<readonly SchemaFailure[]> {
  const [first] = steps;
  if (first === undefined) return [];
  if (isConcurrent(first)) return applyConcurrently(client, first, tableTimeoutMs);
  // Later writes that wait for the disk also wait for this: nothing acknowledged can lose its table.
  const begin = `BEGIN; SET LOCAL lock_timeout = ${tableTimeoutMs}; SET LOCAL synchronous_commit = off`;
  try {
    await client.query([begin, ...steps.map((step) => step.statement), 'COMMIT'].join(';\n'));
    return [];
  } catch (error) {
    if (isUnavailable(error)) throw error;
    await client.query('ROLLBACK');
  }
  return applyOneByOne(client, steps, begin);
}

/** Outside of a transaction, as PostgreSQL wants it; one that breaks off leaves an index that is not valid. */
async function applyConcurrently(
  client: ClientBase,
  step: IndexStep,
  tableTimeoutMs: number,
): Promise<readonly SchemaFailure[]> {
  const removal = `DROP INDEX IF EXISTS ${quoteIdentifier(step.name)}`;
  try {
    await client.query(`SET lock_timeout = ${tableTimeoutMs}`);
    await client.query(removal);
    await client.query(step.statement);
    return [];
  } catch (error) {
    if (isUnavailable(error)) throw error;
    await client.query(removal).catch(() => undefined);
    return [describeStepFailure(step, error)];
  } finally {
    await client.query('RESET lock_timeout').catch(() => undefined);
  }
}

/** Takes more round trips, but finds the step that fails. */
async function applyOneByOne(
  client: ClientBase,
  steps: readonly SchemaStep[],
  begin: string,
): Promise<readonly SchemaFailure[]> {
  let current: SchemaStep | undefined;
  try {
    await client.query(begin);
    for (const step of steps) {
      current = step;
      await client.query(step.statement);
    }
    await client.query('COMMIT');
    return [];
  } catch (error) {
    if (isUnavailable(error) || current === undefined) throw error;
    await client.query('ROLLBACK');
    return [describeStepFailure(current, error)];
  }
}
