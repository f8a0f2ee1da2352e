import { convertTextToDate, type ItemTypeClass, type Migration } from '@gantry/plugin-api';
import { eventually } from '../../../../test/support/eventually';
import { bringUpToDate, createDatabase, type HostDatabase } from '@gantry/core-database';
import { tablesOf } from '../../src/compile/tables';
import { useEmptyDatabase } from '../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';
import { compile, declareType } from '../../../../test/support/content/declare-type';

const before = declareType('Fair', { startsOn: { searchable: true, maxLength: 10 }, endsOn: { required: true } });
const after = declareType('Fair', {
  startsOn: { type: 'DATE', searchable: true },
  endsOn: { type: 'DATE', required: true },
});

const days: Migration = {
  name: '1-days',
  up: (context) =>
    convertTextToDate(context, [
      { table: 'workshop_fair', column: 'starts_on' },
      { table: 'workshop_fair', column: 'ends_on' },
      { table: 'workshop_fair', column: 'nowhere' },
    ]),
};

describe('a field of text that becomes a DATE', () => {
  const empty = useEmptyDatabase();
  let database: HostDatabase;

  beforeEach(() => {
    database = createDatabase({ url: empty.database.url, logger: createRecordedLogger() });
  });

  afterEach(() => database.close());

  const bring = (model: ItemTypeClass, migrations: readonly Migration[]) =>
    bringUpToDate({
      databaseUrl: empty.database.url,
      plugins: [
        { id: 'workshop', migrations, tables: tablesOf(compile(model), () => '', { columns: [], indexes: [] }) },
      ],
      logger: createRecordedLogger(),
    });
  const insert = (startsOn: string | null, endsOn = '2026-12-31') =>
    database.plugins.query('INSERT INTO workshop_fair (starts_on, ends_on) VALUES ($1, $2)', [startsOn, endsOn]);
  const rows = () =>
    database.plugins.query(
      'SELECT starts_on::text AS day, ends_on::text AS last, version FROM workshop_fair ORDER BY id',
    );

  it('keeps its values; what is no day is kept by the history', async () => {
    expect((await bring(before, [])).failures).toEqual([]);
    for (const day of ['2024-02-29', '2026-02-29', '0000-01-01', '0001-01-01', '9999-12-31', '', 'soon', null]) {
      await insert(day);
    }

    expect((await bring(after, [days])).failures).toEqual([]);

    const last = '2026-12-31';
    expect(await rows()).toEqual([
      { day: '2024-02-29', last, version: 1 },
      { day: null, last, version: 2 },
      { day: null, last, version: 2 },
      { day: '0001-01-01', last, version: 1 },
      { day: '9999-12-31', last, version: 1 },
      { day: null, last, version: 2 },
      { day: null, last, version: 2 },
      { day: null, last, version: 1 },
    ]);
    const changes = await database.plugins.query<{ previous: string }>(
      "SELECT previous ->> 'startsOn' AS previous FROM gantry_change WHERE action = 'updated' ORDER BY item_id",
    );
    expect(changes.map(({ previous }) => previous)).toEqual(['2026-02-29', '0000-01-01', '', 'soon']);
    expect(
      await database.plugins.query(
        "SELECT data_type AS type FROM information_schema.columns WHERE table_name = 'workshop_fair' AND column_name = 'starts_on'",
      ),
    ).toEqual([{ type: 'date' }]);
    expect((await bring(after, [days])).failures).toEqual([]);
  });

  it('leaves all as it is when a required field has what is no day', async () => {
    await bring(before, []);
    await insert('2026-02-29', '2026-02-30');
    const { failures } = await bring(after, [days]);
    expect(failures).toMatchObject([{ plugin: 'workshop' }]);
    expect(await rows()).toEqual([{ day: '2026-02-29', last: '2026-02-30', version: 1 }]);
  });

  it('waits for writers that change what is no day meanwhile', async () => {
    await bring(before, []);
    await insert('2026-03-01');
    await insert('2026-02-30');
    const migrated = await database.plugins.transaction(async (writer) => {
      await writer.query("UPDATE workshop_fair SET starts_on = '2026-03-02' WHERE id = 1");
      const running = bring(after, [days]);
      const waiting =
        "SELECT 1 FROM pg_locks WHERE relation = 'workshop_fair'::regclass AND mode = 'AccessExclusiveLock'";
      await eventually(async () => (await database.plugins.query(waiting)).length > 0);
      await writer.query("UPDATE workshop_fair SET starts_on = '2026-02-28' WHERE id = 2");
      return { running };
    });
    expect((await migrated.running).failures).toEqual([]);
    expect(await rows()).toMatchObject([{ day: '2026-03-02' }, { day: '2026-02-28' }]);
  });

  it('is made as a DATE on an empty database', async () => {
    expect((await bring(after, [days])).failures).toEqual([]);
    expect(await rows()).toEqual([]);
  });
});
