import type { Logger } from '@gantry/plugin-api';
import type { ClientBase } from 'pg';
import { createTargetTable } from '../../changes/change-targets';
import { isUnavailable } from '../../database-errors';
import type { TableEvents } from '../../events/table-events';
import type { TableSpec } from '../../table-spec';
import type { ApplyOptions } from '../apply-plan';
import { describeStepFailure } from '../failures/describe-step-failure';
import { dropTriggerFunctions } from '../drop-trigger-functions';
import { inspectSchema } from '../inspect/inspect-schema';
import { recordChange } from '../plugin-records';
import { rowCounter, type CountRows } from '../failures/row-probes';
import type { RenameStep, SchemaFailure, SchemaStep } from '../plan/schema-plan';
import { planRenames, type PluginRenames, type RenamePlan } from './plan-renames';
import { hasEarlierNames, readHoldings } from './rename-probes';

/** Reads what a plan of renames needs. @returns undefined where no declaration names anything of earlier versions */
export async function readRenamePlan(
  client: ClientBase,
  wanted: readonly TableSpec[],
  count: CountRows = rowCounter(client),
): Promise<RenamePlan | undefined> {
  if (!hasEarlierNames(wanted)) return undefined;
  const earlier = wanted.flatMap(({ renamedFrom = [], ...table }) =>
    renamedFrom.map((name) => ({ ...table, name, indexes: [] })),
  );
  const actual = await inspectSchema(client, [...wanted, ...earlier]);
  return planRenames(wanted, actual, await readHoldings(count, wanted, actual));
}

export interface RenameOptions extends ApplyOptions {
  /** By plugin id. */
  readonly versions: ReadonlyMap<string, { readonly id: string; readonly version?: string | undefined }>;
  readonly events: readonly TableEvents[];
  /** Counts rows that the renames depend on; in the database of the connection unless given. */
  readonly count?: CountRows;
}

export interface AppliedRenames {
  readonly applied: readonly RenameStep[];
  readonly failures: readonly SchemaFailure[];
}

/**
 * Renames tables, columns, indexes and foreign keys, and lets the owners of tables rename what they store by these names. All renames of a plugin are one
 * transaction: a host that is killed leaves all of it or nothing. A plugin that fails keeps its names; the others continue.
 * @throws when the connection to the database is lost
 */
export async function applyRenames(
  client: ClientBase,
  wanted: readonly TableSpec[],
  options: RenameOptions,
): Promise<AppliedRenames> {
  const plan = await readRenamePlan(client, wanted, options.count);
  if (plan === undefined) return { applied: [], failures: [] };
  const applied: RenameStep[] = [];
  const failures = [...plan.failures];
  for (const renames of plan.plugins) {
    const failure = await applyOne(client, renames, options);
    if (failure === undefined) applied.push(...renames.steps);
    else failures.push(failure);
  }
  return { applied, failures };
}

async function applyOne(
  client: ClientBase,
  renames: PluginRenames,
  { logger, tableTimeoutMs, versions, events }: RenameOptions,
): Promise<SchemaFailure | undefined> {
  let current: SchemaStep = firstStep(renames);
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${tableTimeoutMs}`);
    // A platform of an earlier version has none.
    if (renames.triggers.length > 0) await client.query(createTargetTable);
    for (const step of [...renames.steps, ...renames.triggers]) {
      current = step;
      await client.query(step.statement);
    }
    current = firstStep(renames);
    for (const { from } of renames.tables) await client.query(dropTriggerFunctions(from));
    for (const { renamed } of events) await renamed?.(client, renames, logger);
    await recordChange(client, versions.get(renames.plugin) ?? { id: renames.plugin }, 'renamed_by');
    await client.query('COMMIT');
  } catch (error) {
    if (isUnavailable(error)) throw error;
    await client.query('ROLLBACK');
    return describeStepFailure(current, error);
  }
  logRenames(renames, logger);
  return undefined;
}

function firstStep({ plugin, steps }: PluginRenames): SchemaStep {
  return steps[0] ?? { plugin, table: '', kind: 'rename', statement: '' };
}

function logRenames({ plugin, steps, types }: PluginRenames, logger: Logger): void {
  for (const { table, statement } of steps) logger.info({ plugin, table, statement }, 'schema: renamed');
  for (const { code, earlierCode, fields } of types) {
    logger.info({ plugin, type: code, earlierCode, fields }, 'item type or fields renamed, with history and grants');
  }
}
