import type { PluginCheckLine } from '@gantry/contracts';
import type { CheckFindings, SchemaFindings } from './check-messages';

/** What enabling the plugin would do to the database. */
export function schemaLines({ schema }: CheckFindings): readonly PluginCheckLine[] {
  if (schema === undefined) return [];
  if (schema.kind === 'unknown') {
    return [{ part: 'schema', outcome: 'warning', message: schema.reason, remedy: schema.remedy }];
  }
  const mayBeMended = schema.migrations.length > 0;
  return [
    ...migrationLines(schema),
    ...schema.failures.map(({ code, reason, remedy }): PluginCheckLine => ({
      part: 'schema',
      outcome: mayBeMended ? 'warning' : 'problem',
      code,
      message: reason,
      remedy: mayBeMended ? `It would keep the plugin from running, unless the migration mends it. ${remedy}` : remedy,
    })),
    ...schema.differences.map(({ description, statement }): PluginCheckLine => ({
      part: 'schema',
      outcome: 'warning',
      message: description,
      remedy: `${mayBeMended ? 'Unless the migration does it, put the statement into one' : 'Put the statement into a migration of the plugin'}; until then the database stays as it is`,
      details: [statement],
    })),
    ...additionsLine(schema),
  ];
}

type Planned = Extract<SchemaFindings, { readonly kind: 'planned' }>;

function migrationLines({ migrations }: Planned): readonly PluginCheckLine[] {
  if (migrations.length === 0) return [];
  return [
    {
      part: 'schema',
      outcome: 'warning',
      message: `${count(migrations.length, 'migration')} of the plugin would run; a check cannot know what they do`,
      remedy: 'Read them, and keep a backup of the database at hand',
      details: migrations,
    },
  ];
}

function additionsLine({ statements, failures }: Planned): readonly PluginCheckLine[] {
  if (statements.length === 0) {
    if (failures.length > 0) return [];
    return [{ part: 'schema', outcome: 'ok', message: 'The database has all that it needs' }];
  }
  return [
    {
      part: 'schema',
      outcome: 'ok',
      message: `${count(statements.length, 'statement')} would add to the database what it needs; nothing is changed or removed`,
      details: statements,
    },
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
