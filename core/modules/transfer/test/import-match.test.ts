import { setTimeout } from 'node:timers/promises';
import { openWorkshop, type Workshop } from './support/workshop';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
beforeEach(async () => {
  await workshop.empty();
  await workshop.import('shelf', '{"code":"s"}\n{"code":"t"}');
  await workshop.import('author', '{"name":"Ann"}\n{"name":"Ben"}');
  await workshop.import(
    'book',
    '{"code":"a","shelf":"s","title":"A","price":1.5,"authors":["Ann"]}\n{"code":"a","shelf":"t","title":"T"}',
  );
});
afterAll(() => workshop.close());

const match = { match: ['code'] } as const;

const books = () =>
  workshop.rows(
    'SELECT b.code, s.code AS shelf, b.title, b.version FROM workshop_book b JOIN workshop_shelf s ON s.id = b.shelf_id ORDER BY b.id',
  );

describe('an import that changes items with the same key', () => {
  it('creates new ones, changes those that differ, and leaves the others as they are', async () => {
    const lines = [
      '{"code":"a","shelf":"s","title":"New"}',
      '{"code":"a","shelf":"t","title":"T","price":null}',
      '{"code":"b","shelf":"s"}',
    ];
    const { outcome, problems } = await workshop.import('book', lines.join('\n'), match);

    expect(problems).toEqual([]);
    expect(outcome).toMatchObject({ items: 3, created: 1, updated: 1, unchanged: 1, kept: true });
    expect(await books()).toEqual([
      { code: 'a', shelf: 's', title: 'New', version: 2 },
      { code: 'a', shelf: 't', title: 'T', version: 1 },
      { code: 'b', shelf: 's', title: null, version: 1 },
    ]);
  });

  it('changes only the fields that the file has, and takes 1.50 and 1.5 for the same', async () => {
    const { outcome } = await workshop.import('book', 'code,shelf,price,authors\na,s,1.50,Ann\n', {
      ...match,
      format: 'csv',
    });

    expect(outcome).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it('replaces many references, and counts their order', async () => {
    await workshop.import('book', '{"code":"a","shelf":"s","authors":["Ben","Ann"]}', match);

    expect(await workshop.rows('SELECT target_id::int AS id FROM workshop_book_authors ORDER BY position')).toEqual([
      { id: 2 },
      { id: 1 },
    ]);
    expect(await books()).toMatchObject([{ version: 2 }, { version: 1 }]);
  });

  it('takes the last line of several with one key', async () => {
    const lines = [
      '{"code":"n","shelf":"s","title":"1"}',
      '{"code":"n","shelf":"s","title":"2"}',
      '{"code":"n","shelf":"s","title":"3"}',
    ];
    const { outcome } = await workshop.import('book', lines.join('\n'), match);

    expect(outcome).toMatchObject({ created: 1, updated: 2 });
    expect(await books()).toContainEqual({ code: 'n', shelf: 's', title: '3', version: 3 });
  });

  it('finds items by id, and refuses ids that there are none of, and changes of fields that are set on create only', async () => {
    const lines = [
      '{"id":1,"title":"X"}',
      '{"id":9,"title":"Y"}',
      '{"title":"Z"}',
      '{"id":2,"shelf":"s"}',
      '{"id":"1.5"}',
    ];
    const { problems } = await workshop.import('book', lines.join('\n'), { match: ['id'] });

    expect(problems.map(({ line, path, code }) => [line, path, code])).toEqual([
      [2, 'id', 'ITEM_NOT_FOUND'],
      [3, 'id', 'REQUIRED'],
      [4, 'shelf', 'NOT_EDITABLE'],
      [5, 'id', 'WRONG_TYPE'],
    ]);
  });

  it.each(['[[1]]', '"1 "', '{}', '{"toString":1,"valueOf":1}', 'true', 'null', '1.0', '0'])(
    'takes %s for no id',
    async (id) => {
      const { problems } = await workshop.import('book', `{"id":${id},"title":"x"}`, { match: ['id'] });

      expect(problems.map(({ line, path }) => [line, path])).toEqual([[1, 'id']]);
    },
  );

  it('reports a change to values that another item has', async () => {
    const { problems } = await workshop.import(
      'book',
      '{"id":2,"title":"ok"}\n{"id":1,"code":"c"}\n{"id":1,"code":"a"}\n{"id":2,"code":"a","edition":"DRAFT"}',
      { match: ['id'] },
    );
    expect(problems).toEqual([]);

    await workshop.import('shelf', '{"code":"u"}');
    const clash = await workshop.import('shelf', '{"id":1,"label":"fine"}\n{"id":2,"code":"s"}', { match: ['id'] });
    expect(clash.problems).toMatchObject([
      { line: 2, path: 'code', code: 'NOT_UNIQUE', message: expect.stringContaining('Shelf') },
    ]);
  });

  it('refuses fields that do not identify an item', async () => {
    await expect(workshop.import('book', '{}', { match: ['title'] })).rejects.toMatchObject({
      name: 'TransferError',
      message: expect.stringMatching(/ title .* Book\.$/),
      remedy: expect.stringContaining('code,shelf,edition | id'),
    });
  });

  it('creates what has no value in the field that it is matched by', async () => {
    const { outcome } = await workshop.import('author', '{"mail":"x"}\n{"mail":"x"}\n{"name":"Ann","mail":"a"}', {
      match: ['name'],
    });

    expect(outcome).toMatchObject({ created: 2, updated: 1 });
  });
});

describe('an import that meets another that creates the same item', () => {
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

  /** Imports while another transaction has done the statement, and ends when the import waits for it. */
  async function importBeside(type: string, statement: string, line: string) {
    let running: ReturnType<Workshop['import']> | undefined;
    await workshop.hold(statement, async () => {
      running = workshop.import(type, line, match);
      const deadline = Date.now() + 20_000;
      while ((await workshop.rows(waiting)).length === 0 && Date.now() < deadline) await setTimeout(20);
    });
    return running;
  }

  it.each([
    ['changes it', 'shelf', '{"code":"n","label":"new"}\n{"code":"n2","label":"other"}', { created: 1, updated: 1 }],
    [
      'changes it before the next line with its key',
      'shelf',
      '{"code":"n","label":"1"}\n{"code":"n","label":"new"}',
      { updated: 2 },
    ],
    ['leaves it as it is when it is the same', 'shelf', '{"code":"n","label":"old"}', { unchanged: 1 }],
    ['changes it through its model', 'guarded', '{"code":"n","mail":"new@b.example"}', { updated: 1 }],
  ])('%s', async (_case, type, lines, expected) => {
    const second = type === 'shelf' ? 'label' : 'mail';
    const statement = `INSERT INTO workshop_${type} (code, ${second}) VALUES ('n', 'old')`;
    const result = await importBeside(type, statement, lines);

    expect(result?.problems).toEqual([]);
    expect(result?.outcome).toMatchObject({ ...expected, badItems: 0, kept: true });
    expect(await workshop.rows(`SELECT 1 FROM workshop_${type} WHERE code = 'n'`)).toHaveLength(1);
  });
});
