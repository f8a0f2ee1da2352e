import { join } from 'node:path';
import { itemActions } from '@gantry/contracts';
import { DataType } from 'sequelize-typescript';
import { createTestDatabase } from '../../../../../test/support/database';
import { codeLines, sourceFiles } from '../../../../../test/support/source-files';
import { createOpenPolicy, createRolePolicy, userScope } from '@gantry/core-content';
import { withClient } from '@gantry/core-database';
import { requestIdOf } from '@gantry/core-http';
import { declareType, problemsOfFields } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from '../support/serve-items';

const core = join(__dirname, '../../../..');

/** Words of the lines of the core that have SQL: aliases, variables of functions, columns of the platform. */
function wordsOfStatements(folders: readonly string[], name = /\.ts$/): readonly string[] {
  const isSql = /\b(?:SELECT|FROM|JOIN|WHERE|AS|WITH|BY|RETURNING|SET|INTO|VALUES|IN|AND|bigint|jsonb|text)\b/;
  return folders
    .flatMap((folder) => sourceFiles(join(core, folder), name))
    .flatMap((file) => codeLines(file))
    .filter((line) => isSql.test(line))
    .flatMap((line) => line.match(/\b[a-z][a-z0-9_]{0,40}\b/g) ?? []);
}

/** Key words of PostgreSQL, and the variables of its trigger functions. */
async function wordsOfPostgres(): Promise<readonly string[]> {
  const database = await createTestDatabase();
  try {
    const { rows } = await withClient({ connectionString: database.url }, (client) =>
      client.query<{ word: string }>('SELECT word FROM pg_get_keywords()'),
    );
    return [...rows.map(({ word }) => word), 'found', 'new', 'old', 'tg_op', 'tg_table_name', 'tg_argv'];
  } finally {
    await database.drop();
  }
}

const fieldsOfType = 250;

describe('fields whose names mean something in statements', () => {
  /** Those of the statements that compare and sort fields. */
  const sorted = new Set(wordsOfStatements(['content/src/sql'], /(?:list-statement|where|rows)\.ts$/));
  let content: OpenTypes;
  let served: ServedItems;
  let types: readonly { readonly code: string; readonly names: readonly string[] }[];

  beforeAll(async () => {
    const found = [
      ...wordsOfStatements([
        'content/src',
        'modules/history/src',
        ...['changes', 'search', 'links'].map((name) => `database/src/${name}`),
        'modules/transfer/src',
      ]),
      ...(await wordsOfPostgres()),
    ];
    const words = [...new Set(found)].filter((word) => problemsOfFields({ [word]: {} }).length === 0);
    types = Array.from({ length: Math.ceil(words.length / fieldsOfType) }, (_all, index) => ({
      code: `words${index}`,
      names: words.slice(index * fieldsOfType, (index + 1) * fieldsOfType),
    }));
    content = await openTypes(types.map(({ names }, index) => declareWords(`Words${index}`, names)));
    const grants = types.map(({ code, names }) => ({
      on: { plugin: 'workshop', type: code },
      actions: [...itemActions],
      where: [
        { field: 'theKey', operator: 'NOT_EQUALS', value: 'hidden' },
        { field: 'theLinks', operator: 'NOT_EQUALS', value: '999' },
      ],
      readableFields: ['theKey', 'theParent', 'theLinks', ...names],
    }));
    const policies = {
      open: createOpenPolicy(content.types),
      restricted: createRolePolicy(content.types, grants, { id: '8', login: 'ben@example.org' }),
    };
    served = await serveItems(content, (request) =>
      userScope(
        request.headers['x-policy'] === 'restricted' ? policies.restricted : policies.open,
        '8',
        requestIdOf(request),
      ),
    );
  });

  afterAll(() => served.close());

  function declareWords(className: string, names: readonly string[]) {
    const model = declareType(
      className,
      {
        theKey: { required: true, searchable: true },
        theParent: { type: 'REFERENCE', targetEntity: () => model },
        theLinks: { type: 'REFERENCE', targetEntity: () => model, cardinality: 'MULTIPLE', searchable: true },
        ...Object.fromEntries(names.map((name) => [name, numberField(name)])),
      },
      { unique: [['theKey']] },
    );
    return model;
  }

  function numberField(name: string) {
    return { type: 'NUMBER', column: DataType.INTEGER, searchable: sorted.has(name) } as const;
  }

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${served.address}/api/cms/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  it.each(['open', 'restricted'])('are written, read, restored and transferred (%s)', async (policy) => {
    const refused: string[] = [];
    const step = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const { status, text } = await call(method, path, body, { 'x-policy': policy, ...headers });
      if (status >= 300) refused.push(`${status} ${method} ${path} ${text.slice(0, 300)}`);
      return text;
    };
    const idOf = (text: string): number => JSON.parse(text).data.id;
    const lines = { 'content-type': 'application/x-ndjson' };
    for (const { code, names } of types) {
      const items = `items/${code}`;
      const valuesOf = (value: number) => Object.fromEntries(names.map((name) => [name, value]));
      const [one, other, third] = ['a', 'b', 'c'].map((key) => ({ theKey: `${policy} ${key}` }));
      const first = idOf(await step('POST', items, { ...valuesOf(1), ...one }));
      const links = { theParent: first, theLinks: [first] };
      const second = idOf(await step('POST', items, { ...valuesOf(1), ...other, ...links }));
      const last = idOf(await step('POST', items, { ...third, ...links }));
      await step('PATCH', `${items}/${first}`, valuesOf(2));
      await step('PATCH', `${items}/${second}`, { theLinks: [last, first] });
      await step('GET', `${items}/${second}`);
      await step('POST', `${items}/list?total=true&q=a`, []);
      await step('POST', `${items}/search`, []);
      await step('POST', `search?q=${policy}`);
      await step('GET', `${items}/${first}/references`);
      await step('GET', `${items}/${second}/history`);
      await step('GET', `${items}/${second}/history/1`);
      await step('GET', `changes?types=${code}`);
      await step('POST', `${items}/${first}/restore`, { version: 1 });
      const file = await step('POST', `exports/${code}?format=jsonl`, []);
      await step('POST', `imports/${code}?match=theKey`, file.replaceAll(':1', ':3'), lines);
      await step('DELETE', `${items}/${second}`);
      await step('POST', `${items}/${second}/restore`, {});
    }
    expect(refused).toEqual([]);
  });

  it('are sorted by, page by page, and compared', async () => {
    const refused: string[] = [];
    for (const { code, names } of types) {
      for (const name of names.filter((word) => sorted.has(word))) {
        const list = `items/${code}/list?limit=1&sort=${name}`;
        const criteria = [{ field: name, operator: 'MORE_THAN', value: '0' }];
        const { text } = await call('POST', list, criteria);
        const next = await call('POST', `${list}&after=${JSON.parse(text).meta?.nextCursor}`, criteria);
        if (next.status !== 200) refused.push(`${name}: ${text.slice(0, 200)} ${next.text.slice(0, 200)}`);
      }
    }
    expect(refused).toEqual([]);
  });

  it.each(['', 'on'])('are changed by SQL, with "%s" as the setting of migrations', async (setting) => {
    for (const { code, names } of types) {
      const [name = ''] = names;
      await content.rows(`DO $$ BEGIN
        PERFORM set_config('gantry.is_migrating', '${setting}', true);
        INSERT INTO workshop_${code} (the_key) VALUES ('sql${setting}');
        UPDATE workshop_${code} SET "${name}" = 7 WHERE the_key = 'sql${setting}';
        UPDATE workshop_${code} SET id = id + 1000 WHERE the_key = 'sql${setting}';
        DELETE FROM workshop_${code} WHERE the_key = 'sql${setting}';
        TRUNCATE workshop_${code} CASCADE;
        END $$`);
      const rows = await content.rows(
        `SELECT action FROM gantry_change WHERE item_table = 'workshop_${code}' AND values ->> 'theKey' = 'sql${setting}' ORDER BY sequence`,
      );
      expect(rows.map(({ action }) => action)).toEqual(['created', 'updated', 'deleted', 'created', 'deleted']);
    }
  });
});
