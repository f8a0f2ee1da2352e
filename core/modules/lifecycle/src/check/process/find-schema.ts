import { planOnly, trySchema, type PluginSchema, type SchemaPreview, type SchemaTrial } from '@gantry/core-database';
import type { Logger } from '@gantry/plugin-api';
import { describeFailure } from '../../common/describe-failure';
import type { SchemaFindings } from './check-messages';

export interface SchemaSearch {
  readonly schemas: readonly PluginSchema[];
  readonly databaseUrl: string | undefined;
  /** The plugins that are checked. */
  readonly ids: readonly string[];
  readonly logger: Logger;
  /** Runs code of a migration. */
  readonly runCode: (plugin: string, code: () => Promise<void>) => Promise<void>;
}

/**
 * The effects of bringing the database up to date for these plugins, by plugin id. Migrations and statements run in a copy of the
 * tables without their rows; the database itself is not changed.
 */
export async function findSchema(search: SchemaSearch): Promise<ReadonlyMap<string, SchemaFindings>> {
  const { schemas, databaseUrl } = search;
  const known = search.ids.filter((id) => schemas.some((schema) => schema.id === id));
  if (databaseUrl === undefined || databaseUrl === '') {
    return same(known, {
      kind: 'unknown',
      reason: 'No database is available for the check',
      remedy: 'Start the platform, or set DATABASE_URL, and check again',
    });
  }
  try {
    const preview = await planOnly({ databaseUrl, plugins: schemas });
    // A schema that is newer than the code is a failure that no trial changes.
    const changed = known.filter(
      (id) => needsChange(preview, id) && preview.failures.every((one) => !isNewer(one, id)),
    );
    const trial =
      changed.length === 0
        ? undefined
        : await trySchema({
            ...{ databaseUrl, plugins: schemas, ids: changed, runCode: search.runCode },
            missing: new Set(preview.steps.flatMap(({ kind, table }) => (kind === 'table' ? [table] : []))),
            logger: search.logger,
          });
    return new Map(known.map((id) => [id, findingsOf(id, preview, changed.includes(id) ? trial : undefined)]));
  } catch (error) {
    const { message, remedy } = describeFailure(error, process.env);
    return same(known, { kind: 'unknown', reason: `The database could not be inspected: ${message}`, remedy });
  }
}

function needsChange({ steps, pendingMigrations }: SchemaPreview, id: string): boolean {
  return [...steps, ...pendingMigrations].some(({ plugin }) => plugin === id);
}

function isNewer({ plugin, code }: SchemaPreview['failures'][number], id: string): boolean {
  return plugin === id && code === 'SCHEMA_NEWER';
}

function findingsOf(id: string, preview: SchemaPreview, trial: SchemaTrial | undefined): SchemaFindings {
  const isOwn = ({ plugin }: { readonly plugin: string }): boolean => plugin === id;
  const plan = trial?.kind === 'tried' ? trial.plan : preview;
  const failures = trial?.kind === 'tried' ? [...trial.plan.failures, ...trial.failures] : preview.failures;
  const own = plan.steps.filter(isOwn);
  return {
    kind: 'planned',
    statements: own.filter(({ kind }) => kind !== 'rename').map(({ statement }) => statement),
    renames: [
      ...own.filter(({ kind }) => kind === 'rename').map(({ statement }) => statement),
      ...preview.fieldRenames.filter(isOwn).map(describeFieldRename),
    ],
    migrations: preview.pendingMigrations.filter(isOwn).map(({ name }) => name),
    differences: plan.differences.filter(isOwn),
    failures: failures.filter(isOwn).map(({ code, reason, remedy }) => ({ code, reason, remedy })),
    ...(trial === undefined ? {} : { trial: trialOf(trial, isOwn) }),
  };
}

function describeFieldRename({ table, from, to }: SchemaPreview['fieldRenames'][number]): string {
  return `The field ${from} in ${table} becomes ${to} in its history and in roles; its values stay where they are`;
}

function trialOf(trial: SchemaTrial, isOwn: (statement: { readonly plugin: string }) => boolean) {
  if (trial.kind === 'not-tried') return trial;
  return { kind: trial.kind, statements: trial.statements.filter(isOwn), breaking: trial.breaking.filter(isOwn) };
}

function same(ids: readonly string[], findings: SchemaFindings): ReadonlyMap<string, SchemaFindings> {
  return new Map(ids.map((id) => [id, findings]));
}
