import type { PluginCheckLine } from '@gantry/contracts';
import { okLine, ruleOf, warningLine } from './check-lines';
import type { CheckFindings, SchemaFindings } from './check-messages';

/** What enabling the plugin would do to the database. */
export function schemaLines({ schema }: CheckFindings): readonly PluginCheckLine[] {
  if (schema === undefined) return [];
  if (schema.kind === 'unknown') {
    return [warningLine('schema/unknown', schema.reason, { remedy: schema.remedy })];
  }
  const mayBeFixed = schema.migrations.length > 0;
  return [
    ...migrationLines(schema),
    ...schema.failures.map(({ code, reason, remedy }): PluginCheckLine => ({
      part: 'schema',
      rule: ruleOf('schema', code),
      outcome: mayBeFixed && code !== 'SCHEMA_NEWER' ? 'warning' : 'problem',
      code,
      message: reason,
      remedy: mayBeFixed ? `It prevents the plugin from running, unless the migration fixes it. ${remedy}` : remedy,
    })),
    ...schema.differences.map(({ description, statement }) =>
      warningLine('schema/difference', description, {
        remedy: `${mayBeFixed ? 'Unless the migration does so, add the statement to a migration' : 'Add the statement to a migration of the plugin'}; until then the database is not changed`,
        details: [statement],
      }),
    ),
    ...renamesLine(schema),
    ...additionsLine(schema),
  ];
}

type Planned = Extract<SchemaFindings, { readonly kind: 'planned' }>;

function migrationLines({ migrations }: Planned): readonly PluginCheckLine[] {
  if (migrations.length === 0) return [];
  const message = `${count(migrations.length, 'migration')} of the plugin would run; the check does not know their effects`;
  const remedy = 'Read them, and back up the database first';
  return [warningLine('schema/migrations', message, { remedy, details: migrations })];
}

function renamesLine({ renames }: Planned): readonly PluginCheckLine[] {
  if (renames.length === 0) return [];
  const message = `${count(renames.length, 'statement')} would rename what the plugin has in the database; all values are kept`;
  const remedy = 'Back up the database first: an earlier version of the plugin cannot use the new names';
  return [warningLine('schema/renames', message, { remedy, details: renames })];
}

function additionsLine({ statements, renames, failures }: Planned): readonly PluginCheckLine[] {
  if (statements.length === 0) {
    if (failures.length > 0 || renames.length > 0) return [];
    return [okLine('schema/additions', 'The database needs no change')];
  }
  const message = `${count(statements.length, 'statement')} would add what the plugin needs to the database; nothing ${renames.length > 0 ? 'else ' : ''}is changed or removed`;
  return [okLine('schema/additions', message, { details: statements.map(shortened) })];
}

/** Without the body of a function, which has a hundred lines; `gantry migrate plan` prints them. */
function shortened(statement: string): string {
  const [head = ''] = statement.split(' LANGUAGE ');
  return statement.startsWith('CREATE OR REPLACE FUNCTION') ? `${head} …` : statement;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
