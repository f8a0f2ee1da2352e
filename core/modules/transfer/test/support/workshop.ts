import { Readable } from 'node:stream';
import type { BaseItem, ItemTypeClass } from '@gantry/plugin-api';
import { BeforeCreate, BeforeUpdate, Column, DataType } from 'sequelize-typescript';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database';
import { bringUpToDate, createDatabase, type HostDatabase } from '@gantry/core-database';
import { createSequelize } from '@gantry/core-database/create-sequelize';
import {
  createBulkWriter,
  type CompiledItemType,
  createItemTypes,
  type ItemTypes,
  associateReferences,
  plainColumnsOf,
  prepareModel,
  createOpenPolicy,
  systemScope,
  type Scope,
  tablesOf,
} from '@gantry/core-content';
import { exportItems } from '../../src/export/export-items';
import { importItems } from '../../src/import/import-items';
import type { ExportOptions } from '../../src/export/export-options';
import type { ImportOptions, ImportOutcome } from '../../src/import/import-options';
import type { ImportProblem } from '../../src';
import { createRecordedLogger } from '../../../../../test/support/recorded-logger';
import { compile, declareType } from '../../../../../test/support/content/declare-type';
import { emptyTables } from '../../../../../test/support/empty-tables';

/** Types with all kinds of fields, keys and references, fresh for every database, as Sequelize keeps models by class. */
function declareWorkshop(): readonly ItemTypeClass[] {
  const Shelf = declareType('Shelf', { code: { required: true, searchable: true }, label: {} }, { unique: [['code']] });
  const Author = declareType('Author', { name: {}, mail: {} }, { unique: [['name']] });
  const Note = declareType('Note', { text: { type: 'TEXT' } });
  const Book: ItemTypeClass = declareType(
    'Book',
    {
      code: { required: true, searchable: true },
      title: { maxLength: 40 },
      pages: { type: 'NUMBER', column: DataType.INTEGER, min: 1 },
      price: { type: 'NUMBER', column: DataType.DECIMAL(19, 4), searchable: true },
      stars: { type: 'NUMBER' },
      sold: { type: 'NUMBER', column: DataType.BIGINT },
      used: { type: 'BOOLEAN' },
      cover: { type: 'IMAGE' },
      blurb: { type: 'TEXT' },
      edition: { required: true, options: ['DRAFT', 'FINAL'], default: 'DRAFT' },
      shelf: { type: 'REFERENCE', targetEntity: () => Shelf, required: true, editableOnUpdate: false },
      sequel: { type: 'REFERENCE', targetEntity: () => Book },
      related: { type: 'REFERENCE', targetEntity: () => Book, cardinality: 'MULTIPLE' },
      authors: { type: 'REFERENCE', targetEntity: () => Author, cardinality: 'MULTIPLE' },
    },
    { unique: [['code', 'shelf', 'edition']] },
  );
  const Review = declareType('Review', {
    text: { required: true },
    book: { type: 'REFERENCE', targetEntity: () => Book },
    also: { type: 'REFERENCE', targetEntity: () => Book, cardinality: 'MULTIPLE' },
  });
  const Memo = declareType('Memo', { note: { type: 'REFERENCE', targetEntity: () => Note } });
  const Locked = declareType('Locked', { name: {} }, { readOnly: true });
  const Step: ItemTypeClass = declareType(
    'Step',
    {
      code: { required: true },
      kind: { options: ['ROOT', 'CHILD'] },
      parent: {
        type: 'REFERENCE',
        targetEntity: () => Step,
        requiredIf: { field: 'kind', equals: 'CHILD' },
      },
      reason: { requiredIf: { field: 'parent', empty: false } },
    },
    { unique: [['code']] },
  );
  return [Shelf, Author, Note, Book, Review, Memo, Locked, Step, declareGuarded()];
}

/** A model with a validator and hooks of its author. */
function declareGuarded(): ItemTypeClass {
  const Guarded = declareType('Guarded', { code: { required: true }, mail: {} }, { unique: [['code']] });
  Object.assign(Guarded, {
    check(item: BaseItem & { code: string }) {
      if (item.code === 'forbidden') throw new Error('this code is forbidden by the house rules');
      if (item.code === 'upper') item.code = 'UPPER';
      if (item.code === 'type of id' && !item.isNewRecord) item.code = typeof item.id;
    },
  });
  const mail = { type: DataType.STRING(40), validate: { isEmail: { msg: 'mail must be an address' } } };
  Column(mail)(Guarded.prototype as object, 'mail');
  BeforeCreate(Guarded, 'check');
  BeforeUpdate(Guarded, 'check');
  return Guarded;
}

export interface ImportResult {
  readonly outcome: ImportOutcome;
  readonly problems: readonly ImportProblem[];
}

/** A database with the tables of the workshop's types. */
export interface Workshop {
  import(type: string, text: string, options?: Partial<ImportOptions>): Promise<ImportResult>;
  importBytes(type: string, bytes: AsyncIterable<Uint8Array>, options?: Partial<ImportOptions>): Promise<ImportResult>;
  export(type: string, options?: Partial<ExportOptions>): Promise<string>;
  /** Rows of a statement; columns as PostgreSQL names them. */
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Runs a statement in a transaction that stays open while the work continues. */
  hold(sql: string, work: () => Promise<void>): Promise<void>;
  empty(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorkshop(): Promise<Workshop> {
  const testDatabase = await createTestDatabase();
  const database = createDatabase({ url: testDatabase.url, logger: createRecordedLogger() });
  const sequelize = createSequelize(testDatabase.url);
  const compiled = declareWorkshop().map((model): CompiledItemType => ({ model, descriptor: compile(model) }));
  for (const type of compiled) prepareModel(type);
  sequelize.addModels(compiled.map(({ model }) => model));
  associateReferences(compiled, compiled);
  await createTables(testDatabase, compiled);
  const types = createItemTypes(compiled);
  const scope = systemScope(createOpenPolicy(types), 'test');
  const bulk = createBulkWriter(sequelize);
  const run = async (code: string, bytes: AsyncIterable<Uint8Array>, options: Partial<ImportOptions>) => {
    const problems: ImportProblem[] = [];
    const onProblem = (problem: ImportProblem): void => void problems.push(problem);
    const defaults = { ...importDefaults, type: typeOf(types, code), bulk, bytes, onProblem };
    return { outcome: await importItems(scope, { ...defaults, ...options }), problems };
  };
  return {
    import: (type, text, options = {}) => run(type, Readable.from([Buffer.from(text)]), options),
    importBytes: (type, bytes, options = {}) => run(type, bytes, options),
    export: (type, options = {}) => exported(scope, database, typeOf(types, type), options),
    rows: (sql) => database.plugins.query(sql),
    hold: (sql, work) =>
      database.plugins.transaction(async (transaction) => {
        await transaction.query(sql);
        await work();
      }),
    async empty() {
      await database.plugins.query(emptyTables('workshop_%'));
    },
    async close() {
      await Promise.all([database.close(), sequelize.close()]);
      await testDatabase.drop();
    },
  };
}

const importDefaults = {
  format: 'jsonl',
  delimiter: ',',
  map: new Map<string, string>(),
  set: new Map<string, string>(),
  ignoreUnknown: false,
  ids: false,
  safeCsv: false,
  match: [],
  dryRun: false,
  signal: new AbortController().signal,
} as const;

async function exported(
  scope: Scope,
  database: HostDatabase,
  type: CompiledItemType,
  options: Partial<ExportOptions>,
): Promise<string> {
  const defaults = { format: 'jsonl', delimiter: ',', ids: false, safeCsv: false, where: [] } as const;
  const signal = new AbortController().signal;
  let text = '';
  for await (const part of exportItems(scope, {
    ...defaults,
    type: type.descriptor,
    database,
    signal,
    ...options,
  })) {
    text += part;
  }
  return text;
}

async function createTables({ url }: TestDatabase, compiled: readonly CompiledItemType[]): Promise<void> {
  const tableOf = (code: string): string =>
    compiled.find(({ descriptor }) => descriptor.code === code)?.descriptor.table ?? '';
  const tables = compiled.flatMap((type) => tablesOf(type.descriptor, tableOf, plainColumnsOf(type)));
  const { failures } = await bringUpToDate({
    databaseUrl: url,
    plugins: [{ id: 'workshop', migrations: [], tables }],
    logger: createRecordedLogger(),
  });
  expect(failures).toEqual([]);
}

function typeOf(types: ItemTypes, code: string): CompiledItemType {
  const type = types.find(code);
  if (type === undefined) throw new Error(`The workshop has no type ${code}.`);
  return type;
}
