import {
  bringUpToDate,
  createStderrLogger,
  planOnly,
  platform,
  type SchemaOutcome,
  type SchemaPreview,
  type SchemaStep,
} from '@gantry/host';
import type { CommandContext } from '../context/command-context';
import { interruptible } from '../common/interruption';
import { counted } from '../terminal/table';
import { reportUnusable, withPlugins } from '../context/with-content';
import { withDatabase } from '../context/with-database';

/** `gantry migrate plan`: what the next start would do to the database. Changes nothing. */
export async function planMigration(context: CommandContext): Promise<number> {
  const plan = await interruptible('Nothing was changed.', (signal) =>
    withDatabase(context, 'gantry migrate plan', signal, (config) =>
      withPlugins(
        context,
        config,
        ({ registry, schemas }) => {
          reportUnusable(context, registry);
          return planOnly({ databaseUrl: config.databaseUrl, plugins: schemas });
        },
        signal,
      ),
    ),
  );
  if (context.json) context.terminal.printJson(plan);
  else printPlan(context, plan);
  return plan.failures.length === 0 ? 0 : 1;
}

/** `gantry migrate up`: does it, as a start does. */
export async function migrate(context: CommandContext): Promise<number> {
  const outcome = await interruptible('Completed changes are kept; the next run continues from there.', (signal) =>
    withDatabase(context, 'gantry migrate up', signal, (config) =>
      withPlugins(
        context,
        config,
        ({ registry, schemas }) => {
          reportUnusable(context, registry);
          const logger = createStderrLogger(context.verbose ? 'debug' : 'silent');
          return bringUpToDate({ databaseUrl: config.databaseUrl, plugins: schemas, logger });
        },
        signal,
      ),
    ),
  );
  if (context.json) context.terminal.printJson(outcome);
  else printOutcome(context, outcome);
  return outcome.failures.length === 0 ? 0 : 1;
}

function printPlan({ terminal }: CommandContext, plan: SchemaPreview): void {
  for (const { plugin, name } of plan.pendingMigrations) terminal.print(`-- migration ${name} of ${plugin} runs first`);
  for (const step of plan.steps) terminal.print(`${step.statement};`);
  printRemarks(terminal, plan);
  for (const { table, plugin, statement } of plan.leftTables) {
    const kept = 'its rows are kept, and items that they refer to cannot be deleted';
    terminal.note(
      statement === undefined
        ? `${table} belongs to ${plugin}, which is not running; ${kept}.`
        : `${table} belongs to a type or field that ${plugin} has removed; ${kept}. To remove them: ${statement}`,
    );
  }
  if (plan.steps.length === 0 && plan.pendingMigrations.length === 0 && plan.failures.length === 0) {
    terminal.print('The schema is up to date.');
  }
}

function printOutcome({ terminal }: CommandContext, { migrations, applied, ...rest }: SchemaOutcome): void {
  for (const { plugin, name } of migrations) terminal.print(`Ran the migration ${name} of ${plugin}.`);
  for (const [what, steps] of byTable(applied)) terminal.print(`${what}: ${steps}.`);
  printRemarks(terminal, rest);
  if (applied.length === 0 && migrations.length === 0 && rest.failures.length === 0) {
    terminal.print('The schema was up to date.');
  }
}

function printRemarks(
  terminal: CommandContext['terminal'],
  { differences, failures, kept }: Pick<SchemaPreview, 'differences' | 'failures' | 'kept'>,
): void {
  for (const { table, description, statement } of differences) {
    terminal.note(
      `${table}: ${description.replace(/\.$/, '')}. The platform does not change this automatically; a migration would need: ${statement}`,
    );
  }
  for (const { table, column } of kept) {
    terminal.note(`${table}.${column} no longer belongs to a field; its values are kept.`);
  }
  for (const { plugin, reason, remedy } of failures) terminal.error(`${plugin}: ${reason}\n  ${remedy}`);
}

/** How many steps of which kind each table took. */
function byTable(steps: readonly SchemaStep[]): readonly (readonly [string, string])[] {
  const tables = new Map<string, string[]>();
  for (const { table, kind } of steps) tables.set(table, [...(tables.get(table) ?? []), kind]);
  // Triggers of other tables write to those of the platform.
  const own = new Set(steps.filter(({ plugin }) => plugin === platform).map(({ table }) => table));
  return [...tables].map(([name, kinds]) => {
    const counts = [...new Set(kinds)].map((kind) =>
      kind === 'search' || kind === 'changes'
        ? `${kind === 'changes' ? 'change feed' : kind} ${own.has(name) ? 'table' : 'triggers'}`
        : describeCount(kind, kinds.filter((other) => other === kind).length),
    );
    return [name === '' ? 'database' : name, counts.join(', ')] as const;
  });
}

function describeCount(kind: string, count: number): string {
  const name = kind === 'foreign-key' ? 'foreign key' : kind;
  return counted(count, name, name === 'index' ? 'indexes' : `${name}s`);
}
