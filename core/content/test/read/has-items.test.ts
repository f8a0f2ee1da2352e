import { BaseItem, type ItemTypeClass } from '@gantry/plugin-api';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { createDatabase, type HostDatabase } from '@gantry/core-database';
import type { ItemTypeDescriptor } from '../../src/compile/descriptor';
import { hasItems } from '../../src/read/has-items';
import { createItemTypes } from '../../src/compile/item-types';
import { createOpenPolicy } from '../../src/policy/open-policy';
import { systemScope, type Scope } from '../../src/policy/scope';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';
import { compileFields } from '../../../../test/support/content/declare-type';

const sample = compileFields({ code: {} });

let testDatabase: TestDatabase;
let database: HostDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ url: testDatabase.url, logger: createRecordedLogger() });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

describe('hasItems', () => {
  const types = Array.from({ length: 1_000 }, (_, index) => ({ ...sample, table: `many "types" ${index}` }));
  const scopeOf = (descriptors: readonly ItemTypeDescriptor[]): Scope => {
    const compiled = descriptors.map((descriptor) => ({ descriptor, model: BaseItem as ItemTypeClass }));
    return systemScope(createOpenPolicy(createItemTypes(compiled)), 'test');
  };

  it('is false without types', async () => {
    expect(await hasItems(scopeOf([]), database)).toBe(false);
  });

  it('finds one item among a thousand types', async () => {
    // Views take less time to make than tables.
    await database.query({
      sql: `DO $$ BEGIN FOR n IN 0..998 LOOP
        EXECUTE format('CREATE VIEW %I AS SELECT 1::bigint AS id WHERE false', 'many "types" ' || n); END LOOP; END $$`,
    });
    await database.query({ sql: 'CREATE TABLE "many ""types"" 999" (id bigint PRIMARY KEY)' });
    expect(await hasItems(scopeOf(types), database)).toBe(false);

    await database.query({ sql: 'INSERT INTO "many ""types"" 999" VALUES (1)' });
    expect(await hasItems(scopeOf(types), database)).toBe(true);
  });
});
