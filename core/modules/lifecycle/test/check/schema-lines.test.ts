import type { SchemaFindings } from '../../src/check/process/check-messages';
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
    deprecations: [],
    lines: 0,
    schema: { ...nothing, ...schema },
  });

describe('what a check says of the database', () => {
  it('is that it has all, when there is nothing to do', () => {
    expect(linesOf({})).toEqual([
      { part: 'schema', rule: 'schema/additions', outcome: 'ok', message: expect.any(String) },
    ]);
  });

  it('names renames apart from what is added', () => {
    const statement = 'ALTER TABLE "boats_ship" RENAME TO "boats_boat"';
    expect(linesOf({ renames: [statement] })).toEqual([
      {
        ...{ part: 'schema', rule: 'schema/renames', outcome: 'warning', details: [statement] },
        message: expect.stringMatching(/^1 step /),
        remedy: expect.any(String),
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
        message: expect.stringMatching(/^1 migration /),
        remedy: expect.any(String),
        details: ['2026-11-22-text'],
      },
      {
        part: 'schema',
        rule: 'schema/schema-column-retyped',
        outcome: 'warning',
        code: failure.code,
        message: failure.reason,
        // Of the migration, and of the failure.
        remedy: expect.stringMatching(/ migration .* Make it text\.$/),
      },
      {
        part: 'schema',
        rule: 'schema/difference',
        outcome: 'warning',
        message: difference.description,
        remedy: expect.stringMatching(/^Unless the migration /),
        details: [difference.statement],
      },
    ]);
  });

  it('is what migrations and statements did in a copy of the tables, the safe ones apart', () => {
    const effects = [{ kind: 'destructive' as const, text: 'removes the column boats_boat.size with about 9 values' }];
    const statements = [
      { plugin: 'boats', statement: 'ALTER TABLE boats_boat DROP COLUMN size', effects },
      { plugin: 'boats', statement: 'CREATE TABLE boats_oar (id bigint)', effects: [] },
    ];
    const { text } = effects[0] ?? { text: '' };
    const breaking = [{ plugin: 'boats', name: '1', breaks: [text] }];
    const trial = { kind: 'tried' as const, statements, breaking };

    const lines = linesOf({ migrations: ['1'], differences: [difference], trial });

    expect(lines.map(({ rule, outcome }) => `${rule} ${outcome}`)).toEqual([
      'schema/migrations ok',
      'schema/difference warning',
      'schema/destructive warning',
      'schema/no-way-back warning',
      'schema/additions ok',
    ]);
    expect(lines[3]?.details).toEqual(['1 – removes the column boats_boat.size with about 9 values']);
    expect(lines[2]?.details).toEqual([
      'ALTER TABLE boats_boat DROP COLUMN size – removes the column boats_boat.size with about 9 values',
    ]);
    expect(lines[1]?.remedy).toMatch(/^Add the statement to a migration/);
  });

  it('is a warning where nothing could be tried, if there are migrations', () => {
    const trial = { kind: 'not-tried' as const, reason: 'the database user may not create a database' };

    expect([linesOf({ trial })[0], linesOf({ trial, migrations: ['1'] })[0]]).toMatchObject([
      { rule: 'schema/not-tried', outcome: 'ok' },
      { rule: 'schema/not-tried', outcome: 'warning', details: ['1'] },
    ]);
  });
});
