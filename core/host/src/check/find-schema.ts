import { planOnly, type PluginSchema } from '../database';
import { describeFailure } from '../composition/describe-failure';
import type { SchemaFindings } from './check-messages';

/** What bringing the database up to date for these plugins would mean, by plugin id; changes nothing. */
export async function findSchema(
  schemas: readonly PluginSchema[],
  databaseUrl: string | undefined,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SchemaFindings>> {
  const known = ids.filter((id) => schemas.some((schema) => schema.id === id));
  if (databaseUrl === undefined || databaseUrl === '') {
    return same(known, {
      kind: 'unknown',
      reason: 'No database is available for the check',
      remedy: 'Start the platform, or set DATABASE_URL, and check again',
    });
  }
  try {
    const plan = await planOnly({ databaseUrl, plugins: schemas });
    return new Map(
      known.map((id) => {
        const isOwn = ({ plugin }: { readonly plugin: string }): boolean => plugin === id;
        return [
          id,
          {
            kind: 'planned',
            statements: plan.steps
              .filter((step) => isOwn(step) && step.kind !== 'rename')
              .map(({ statement }) => statement),
            renames: plan.steps
              .filter((step) => isOwn(step) && step.kind === 'rename')
              .map(({ statement }) => statement),
            migrations: plan.pendingMigrations.filter(isOwn).map(({ name }) => name),
            differences: plan.differences.filter(isOwn),
            failures: plan.failures.filter(isOwn).map(({ code, reason, remedy }) => ({ code, reason, remedy })),
          },
        ];
      }),
    );
  } catch (error) {
    const { message, remedy } = describeFailure(error, process.env);
    return same(known, { kind: 'unknown', reason: `The database could not be inspected: ${message}`, remedy });
  }
}

function same(ids: readonly string[], findings: SchemaFindings): ReadonlyMap<string, SchemaFindings> {
  return new Map(ids.map((id) => [id, findings]));
}
