import type { SchemaFindings } from '../../src/check/check-messages';
import { schemaLines } from '../../src/check/schema-lines';

type Planned = Extract<SchemaFindings, { readonly kind: 'planned' }>;

const nothing: Planned = {
  kind: 'planned',
  statements: [],
  renames: [],
  migrations: [],
  differences: [],
  failures: [],
};
const failure = { code: 'SCHEMA_COLUMN_RETYPED', reason: 'It is a number.', remedy: 'Make it text.' };
const difference = { plugin: 'boats', table: 'boats_boat', description: 'It is narrower.', statement: 'ALTER …' };

const linesOf = (schema: Partial<Planned>) =>
  schemaLines({
    id: 'boats',
    problems: [],
    notes: [],
    registered: [],
    networkCalls: [],
    schema: { ...nothing, ...schema },
  });

describe('what a check says of the database', () => {
  it('is that it has all, when there is nothing to do', () => {
    expect(linesOf({})).toEqual([
      { part: 'schema', rule: 'schema/additions', outcome: 'ok', message: 'The database needs no change' },
    ]);
  });

  it('names renames apart from what is added', () => {
    const statement = 'ALTER TABLE "boats_ship" RENAME TO "boats_boat"';
    expect(linesOf({ renames: [statement] })).toEqual([
      {
        ...{ part: 'schema', rule: 'schema/renames', outcome: 'warning', details: [statement] },
        message: '1 statement would rename what the plugin has in the database; all values are kept',
        remedy: 'Back up the database first: an earlier version of the plugin cannot use the new names',
      },
    ]);
  });

  it('leaves out the bodies of functions', () => {
    const body = 'RETURNS trigger LANGUAGE plpgsql AS $gantry$\nBEGIN\n  RETURN NULL;\nEND\n$gantry$';
    const table = 'CREATE TABLE "boats_boat" (\n  "id" integer\n)';
    const [line] = linesOf({ statements: [table, `CREATE OR REPLACE FUNCTION public."boats"() ${body}`] });
    expect(line?.details).toEqual([table, 'CREATE OR REPLACE FUNCTION public."boats"() RETURNS trigger …']);
  });

  it('is a problem where the plugin could not be linked, and no word of all that it needs', () => {
    expect(linesOf({ failures: [failure] })).toEqual([
      {
        ...{ part: 'schema', rule: 'schema/schema-column-retyped', outcome: 'problem' },
        ...{ code: failure.code, message: failure.reason, remedy: failure.remedy },
      },
    ]);
  });

  it('is a warning where a migration that has not run may fix it', () => {
    const lines = linesOf({ failures: [failure], differences: [difference], migrations: ['2026-11-22-text'] });
    expect(lines).toEqual([
      {
        part: 'schema',
        rule: 'schema/migrations',
        outcome: 'warning',
        message: '1 migration of the plugin would run; the check does not know their effects',
        remedy: 'Read them, and back up the database first',
        details: ['2026-11-22-text'],
      },
      {
        part: 'schema',
        rule: 'schema/schema-column-retyped',
        outcome: 'warning',
        code: failure.code,
        message: failure.reason,
        remedy: 'It prevents the plugin from running, unless the migration fixes it. Make it text.',
      },
      {
        part: 'schema',
        rule: 'schema/difference',
        outcome: 'warning',
        message: difference.description,
        remedy:
          'Unless the migration does so, add the statement to a migration; until then the database is not changed',
        details: [difference.statement],
      },
    ]);
  });
});
