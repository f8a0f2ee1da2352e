import type { ClientBase } from 'pg';
import type { TableSpec } from '../../table-spec';
import type { ActualSchema } from '../inspect/actual-schema';
import { maxCounted, type RowCounts, type RowQuestion } from './changed-references';
import { inspectSchema } from '../inspect/inspect-schema';
import { reasonOf, sqlStateOf } from '../../database-errors';
import { normaliseColumns } from '../inspect/normalise-columns';
import { planSchema, questionsOf } from './plan-schema';
import { readRenamePlan } from '../renames/apply-renames';
import type { TableRenames } from '../renames/find-renames';
import { findRowFailures } from '../failures/row-failures';
import { rowCounter, rowsOfTable, rowsWithValue, type CountRows, type RowProbe } from '../failures/row-probes';
import type { FieldRename, SchemaPlan, SchemaStep } from './schema-plan';

/** Plans for the schema as the renames would leave it, and finds rows on which a step would fail. */
export async function planWithRenames(
  client: ClientBase,
  all: readonly TableSpec[],
  count: CountRows = rowCounter(client),
): Promise<SchemaPlan & { readonly fieldRenames: readonly FieldRename[] }> {
  const renames = await readRenamePlan(client, all, count);
  const { plugins = [], failures = [], renamed = [] } = renames ?? {};
  const failed = new Set(failures.map(({ plugin }) => plugin));
  const wanted = all.filter(({ plugin }) => !failed.has(plugin));
  const plan = await planNow(client, wanted, renames?.actual ?? (await inspectSchema(client, all)), { renamed, count });
  const steps = [...plugins.flatMap((one) => one.steps), ...plan.steps];
  const refused = await findRowFailures(steps, wanted, count);
  const fieldRenames = renamed.flatMap(({ table, fields }) =>
    fields.map((field) => ({ plugin: table.plugin, table: table.name, ...field })),
  );
  return { ...plan, steps, failures: [...failures, ...plan.failures, ...refused], fieldRenames };
}

/** Creates the extension first where it is needed; if PostgreSQL refuses it after all, plans again without it. */
export async function planWithExtension(
  client: ClientBase,
  wanted: readonly TableSpec[],
  count: CountRows = rowCounter(client),
): Promise<{ readonly plan: SchemaPlan; readonly applied: readonly SchemaStep[] }> {
  const actual = await inspectSchema(client, wanted);
  const plan = await planNow(client, wanted, actual, { count });
  const extension = plan.steps.find((step) => step.kind === 'extension');
  if (extension === undefined) return { plan, applied: [] };
  try {
    await client.query(extension.statement);
    return { plan: { ...plan, steps: plan.steps.filter((step) => step !== extension) }, applied: [extension] };
  } catch (error) {
    if (sqlStateOf(error) === undefined) throw error;
    const without: ActualSchema = { ...actual, trigram: { status: 'unavailable', reason: reasonOf(error) } };
    return { plan: await planNow(client, wanted, without, { count }), applied: [] };
  }
}

interface PlanOptions {
  /** Tables and columns that have another name in the database than in `actual`. */
  readonly renamed?: readonly TableRenames[];
  readonly count: CountRows;
}

async function planNow(
  client: ClientBase,
  wanted: readonly TableSpec[],
  actual: ActualSchema,
  { renamed = [], count }: PlanOptions,
): Promise<SchemaPlan> {
  const normalise = await normaliseColumns(
    client,
    wanted.flatMap((table) => table.columns),
  );
  const questions = questionsOf(wanted, actual);
  const counts = await count(questions.map((question) => probeOf(question, renamed)));
  const answers = new Map(questions.map((question, index) => [keyOf(question), counts[index] ?? 0]));
  const answered: RowCounts = (question) => answers.get(keyOf(question)) ?? 0;
  return planSchema({ wanted, actual, normalise, count: answered });
}

/** By the names that table and column have in the database. */
function probeOf({ table, column }: RowQuestion, renamed: readonly TableRenames[]): RowProbe {
  const renames = renamed.find((one) => one.table.name === table);
  const stored = renames?.renamed?.from ?? table;
  if (column === undefined) return { ...rowsOfTable(stored), max: maxCounted };
  const storedColumn = renames?.columns.find(({ to }) => to === column)?.from ?? column;
  return { ...rowsWithValue(stored, storedColumn), max: maxCounted };
}

function keyOf({ table, column }: RowQuestion): string {
  return JSON.stringify([table, column]);
}
