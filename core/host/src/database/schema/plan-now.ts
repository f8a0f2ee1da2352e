import type { ClientBase } from 'pg';
import type { TableSpec } from '../table-spec';
import type { ActualSchema } from './actual-schema';
import { inspectSchema, readPopulated } from './inspect-schema';
import { reasonOf, sqlStateOf } from '../database-errors';
import { normaliseColumns } from './normalise-columns';
import { planSchema, tablesToProbe } from './plan-schema';
import { readRenamePlan } from './renames/apply-renames';
import type { Renamed } from './renames/find-renames';
import type { SchemaPlan, SchemaStep } from './schema-plan';

/** Plans for the schema as the renames would leave it. */
export async function planWithRenames(
  client: ClientBase,
  all: readonly TableSpec[],
  probe: typeof readPopulated = readPopulated,
): Promise<SchemaPlan> {
  const renames = await readRenamePlan(client, all);
  if (renames === undefined) return planNow(client, all, await inspectSchema(client, all), { probe });
  const failed = new Set(renames.failures.map(({ plugin }) => plugin));
  const wanted = all.filter(({ plugin }) => !failed.has(plugin));
  const renamed = renames.plugins.flatMap(({ tables }) => tables);
  const plan = await planNow(client, wanted, renames.actual, { renamed, probe });
  return {
    ...plan,
    steps: [...renames.plugins.flatMap(({ steps }) => steps), ...plan.steps],
    failures: [...renames.failures, ...plan.failures],
  };
}

/** Creates the extension first where it is needed; if PostgreSQL refuses it after all, plans again without it. */
export async function planWithExtension(
  client: ClientBase,
  wanted: readonly TableSpec[],
  probe: typeof readPopulated = readPopulated,
): Promise<{ readonly plan: SchemaPlan; readonly applied: readonly SchemaStep[] }> {
  const actual = await inspectSchema(client, wanted);
  const plan = await planNow(client, wanted, actual, { probe });
  const extension = plan.steps.find((step) => step.kind === 'extension');
  if (extension === undefined) return { plan, applied: [] };
  try {
    await client.query(extension.statement);
    return { plan: { ...plan, steps: plan.steps.filter((step) => step !== extension) }, applied: [extension] };
  } catch (error) {
    if (sqlStateOf(error) === undefined) throw error;
    const without: ActualSchema = { ...actual, trigram: { status: 'unavailable', reason: reasonOf(error) } };
    return { plan: await planNow(client, wanted, without, { probe }), applied: [] };
  }
}

interface PlanOptions {
  /** Tables that have another name in the database than in `actual`. */
  readonly renamed?: readonly Renamed[];
  /** Finds those of the tables that have rows. */
  readonly probe?: typeof readPopulated;
}

async function planNow(
  client: ClientBase,
  wanted: readonly TableSpec[],
  actual: ActualSchema,
  { renamed = [], probe = readPopulated }: PlanOptions = {},
): Promise<SchemaPlan> {
  const normalise = await normaliseColumns(
    client,
    wanted.flatMap((table) => table.columns),
  );
  const stored = new Map(renamed.map(({ from, to }) => [to, from]));
  const names = new Map(tablesToProbe(wanted, actual).map((name) => [stored.get(name) ?? name, name]));
  const found = await probe(client, [...names.keys()]);
  const populated = new Set([...found].flatMap((name) => names.get(name) ?? []));
  return planSchema({ wanted, actual, normalise, populated });
}
