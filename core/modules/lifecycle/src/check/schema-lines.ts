import { truncate } from '@gantry/core-common';
import type { PluginCheckLine } from '@gantry/contracts';
import { okLine, ruleOf, warningLine } from './check-lines';
import type { CheckFindings, SchemaFindings } from './process/check-messages';

/** The effects of enabling the plugin on the database. */
export function schemaLines({ schema }: CheckFindings): readonly PluginCheckLine[] {
  if (schema === undefined) return [];
  if (schema.kind === 'unknown') {
    return [warningLine('schema/unknown', schema.reason, { remedy: schema.remedy })];
  }
  // After a trial, these are what the migrations leave.
  const mayBeFixed = schema.migrations.length > 0 && schema.trial?.kind !== 'tried';
  return [
    ...migrationLines(schema),
    ...schema.failures.map(({ code, reason, remedy }): PluginCheckLine => ({
      part: 'schema',
      rule: ruleOf('schema', code),
      outcome: mayBeFixed && code !== 'SCHEMA_NEWER' ? 'warning' : 'problem',
      code,
      message: reason,
      remedy: mayBeFixed ? `The plugin cannot run, unless the migration fixes this. ${remedy}` : remedy,
    })),
    ...schema.differences.map(({ description, statement }) =>
      warningLine('schema/difference', description, {
        remedy: `${mayBeFixed ? 'Unless the migration does so, add the statement to a migration' : 'Add the statement to a migration of the plugin'}; until then the database is not changed`,
        details: [statement],
      }),
    ),
    ...renamesLine(schema),
    ...effectLines(schema),
    ...wayBackLine(schema),
    ...additionsLine(schema),
  ];
}

/** Migrations may hold their rows. */
const maxStatementLength = 2_000;

type Planned = Extract<SchemaFindings, { readonly kind: 'planned' }>;

function migrationLines({ migrations, trial, failures }: Planned): readonly PluginCheckLine[] {
  if (trial?.kind === 'not-tried') return [notTriedLine(migrations, trial.reason)];
  if (migrations.length === 0) return [];
  const names = { details: migrations };
  if (trial === undefined || failures.some(({ code }) => code.startsWith('MIGRATION_'))) {
    const message = `${count(migrations.length, 'migration')} of the plugin would run`;
    return [
      warningLine('schema/migrations', message, {
        remedy: 'Read the migrations, and back up the database first',
        ...names,
      }),
    ];
  }
  const message = `${count(migrations.length, 'migration')} of the plugin ran in a copy of the tables without their rows`;
  return [okLine('schema/migrations', message, names)];
}

/** Additions need no trial. */
function notTriedLine(migrations: readonly string[], reason: string): PluginCheckLine {
  const message = `Nothing was tried out in a copy of the tables: ${reason}`;
  if (migrations.length === 0) return okLine('schema/not-tried', message);
  const remedy =
    'Let the database user create databases (ALTER ROLE … CREATEDB), or read the migrations and back up the database first';
  return warningLine('schema/not-tried', message, { remedy, details: migrations });
}

const kinds = {
  locking: {
    rule: 'schema/locking',
    does: 'would keep others waiting',
    remedy:
      'Enable it at a quiet time; an index can be created beforehand, with CREATE INDEX CONCURRENTLY and its name',
  },
  destructive: {
    rule: 'schema/destructive',
    does: 'would remove or change values',
    remedy: 'Back up the database first: the earlier version does not restore removed values',
  },
} as const;

/** Statements that are more than additions, with what they do to tables that have rows. */
function effectLines({ trial }: Planned): readonly PluginCheckLine[] {
  if (trial?.kind !== 'tried') return [];
  return (['destructive', 'locking'] as const).flatMap((kind) => {
    const found = trial.statements.flatMap(({ statement, effects }) => {
      const texts = effects.filter((effect) => effect.kind === kind).map(({ text }) => text);
      return texts.length === 0 ? [] : [`${shortened(statement)} – ${texts.join('; ')}`];
    });
    if (found.length === 0) return [];
    const { rule, does, remedy } = kinds[kind];
    return [warningLine(rule, `${count(found.length, 'statement')} ${does}`, { remedy, details: found })];
  });
}

/** Of a plugin that is new, no earlier version could come back; its first migrations change no table that was there. */
function wayBackLine({ trial }: Planned): readonly PluginCheckLine[] {
  if (trial?.kind !== 'tried' || trial.breaking.length === 0) return [];
  const message = `After ${count(trial.breaking.length, 'migration')}, earlier versions of the plugin cannot run any more, also when this one fails to start`;
  const remedy =
    'Back up the database first; if earlier versions work with what a migration leaves, its author sets backwardCompatible: true';
  const details = trial.breaking.map(({ name, breaks }) =>
    truncate(`${name} – ${breaks.length > 0 ? breaks.join('; ') : 'as the plugin declares'}`, maxStatementLength),
  );
  return [warningLine('schema/no-way-back', message, { remedy, details })];
}

function renamesLine({ renames }: Planned): readonly PluginCheckLine[] {
  if (renames.length === 0) return [];
  const message = `${count(renames.length, 'step')} would rename what the plugin has in the database; all values are kept`;
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
  return truncate(statement.startsWith('CREATE OR REPLACE FUNCTION') ? `${head} …` : statement, maxStatementLength);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
