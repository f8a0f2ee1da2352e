import type { ItemStore, ItemTypeClass } from '@gantry/plugin-api';
import { createTestDatabase } from '../database';
import { bringUpToDate, createDatabase, type HostDatabase, type RunQuery } from '@gantry/core-database';
import { createSequelize } from '@gantry/core-database/create-sequelize';
import {
  createBulkWriter,
  type BulkWriter,
  type CompiledItemType,
  type FieldTypes,
  shippedFieldTypes,
  createItemRepository,
  type ItemRepository,
  type FunctionRun,
  createItemTypes,
  type ItemTypes,
  createItemWriter,
  type ItemWriter,
  type WriteHooks,
  associateReferences,
  plainColumnsOf,
  prepareModel,
  createItemStore,
  createOpenPolicy,
  tablesOf,
} from '@gantry/core-content';
import { createRecordedLogger, type LogLine } from '../recorded-logger';
import { compile } from './declare-type';

/** Item types of the plugin `workshop` on a separate database, with what reads and writes them. */
export interface OpenTypes {
  readonly types: ItemTypes;
  /** Log of the writer. */
  readonly logged: readonly LogLine[];
  readonly database: HostDatabase;
  readonly repository: ItemRepository;
  readonly writer: ItemWriter;
  readonly bulk: BulkWriter;
  /** Items for a plugin of that id. */
  items(plugin: string): ItemStore;
  /** Rows of a statement; columns as PostgreSQL names them. */
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

/** Milliseconds to wait for a connection: tests ask for many things at once, on machines of any speed. */
const connectionTimeoutMs = 60_000;

export async function openTypes(
  models: readonly ItemTypeClass[],
  fieldTypes: FieldTypes = shippedFieldTypes,
  functions?: FunctionRun,
  hooks?: WriteHooks,
): Promise<OpenTypes> {
  const testDatabase = await createTestDatabase();
  const database = createDatabase({
    url: testDatabase.url,
    logger: createRecordedLogger(),
    connectTimeoutMs: connectionTimeoutMs,
  });
  const sequelize = createSequelize(testDatabase.url, { acquireTimeoutMs: connectionTimeoutMs });
  const compiled = models.map((model): CompiledItemType => ({
    model,
    descriptor: compile(model, 'workshop', fieldTypes),
  }));
  for (const type of compiled) prepareModel(type);
  sequelize.addModels(compiled.map(({ model }) => model));
  associateReferences(compiled, compiled);
  const tables = new Map(compiled.map(({ descriptor }) => [descriptor.code, descriptor.table]));
  const { failures } = await bringUpToDate({
    databaseUrl: testDatabase.url,
    plugins: [
      {
        id: 'workshop',
        migrations: [],
        tables: compiled.flatMap((type) =>
          tablesOf(type.descriptor, (code) => tables.get(code) ?? '', plainColumnsOf(type)),
        ),
      },
    ],
    logger: createRecordedLogger(),
  });
  expect(failures).toEqual([]);
  const repository = createItemRepository(database, functions);
  const types = createItemTypes(compiled, (plugin) => plugin === 'workshop');
  const logger = createRecordedLogger();
  const query: RunQuery = (statement) => database.query(statement);
  const writer = createItemWriter({ sequelize, types, repository, query, logger, hooks });
  const policy = createOpenPolicy(types);
  return {
    types,
    logged: logger.lines,
    database,
    repository,
    writer,
    bulk: createBulkWriter(sequelize, hooks),
    items: (plugin) => createItemStore({ plugin, access: () => ({ policy, repository, writer }) }),
    rows: (sql) => database.plugins.query(sql),
    async close() {
      await Promise.all([database.close(), sequelize.close()]);
      await testDatabase.drop();
    },
  };
}
