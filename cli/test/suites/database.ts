import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase } from '../../../test/support/database';
import { openBench, type Bench } from '../support/gantry';
import type { Commands } from '../support/commands';

export function describeDatabase(commands: Commands): void {
  describe('gantry and the database', () => {
    let bench: Bench;
    beforeEach(async () => {
      bench = await openBench(['plugins/articles'], commands);
    });
    afterEach(() => bench.close());

    async function query(sql: string): Promise<readonly object[]> {
      const client = new Client({ connectionString: bench.database.url });
      await client.connect();
      try {
        return (await client.query<object>(sql)).rows;
      } finally {
        await client.end();
      }
    }

    const tables = () => query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'");

    describe('gantry migrate', () => {
      it('plans without changing anything, does it, and is done then', async () => {
        const plan = await bench.gantry(['migrate', 'plan']);
        expect(plan.code).toBe(0);
        expect(plan.stdout).toContain('CREATE TABLE "articles_article" (');
        expect(await tables()).toEqual([]);

        const done = await bench.gantry(['migrate', 'up']);
        expect(done.stdout).toMatch(
          /^articles_article: 1 table, \d+ indexes, search triggers, change feed triggers\.$/m,
        );
        expect(done.stdout).toContain('gantry_search: search table.\n');
        expect(await tables()).toContainEqual({ table_name: 'articles_article' });

        expect((await bench.gantry(['migrate', 'plan'])).stdout).toBe('The schema is up to date.\n');
        expect((await bench.gantry(['migrate', 'up'])).stdout).toBe('The schema was up to date.\n');
      });

      it('prints statements that PostgreSQL takes as they are', async () => {
        const { stdout } = await bench.gantry(['migrate', 'plan']);
        await query(stdout);

        expect(await bench.json(['migrate', 'plan'])).toMatchObject({ steps: [], differences: [], failures: [] });
      });

      it('shows what is not done by itself, with the statement for it', async () => {
        await bench.gantry(['migrate', 'up']);
        await query('ALTER TABLE articles_article ALTER COLUMN title TYPE varchar(500), ADD COLUMN old text');
        const { code, stderr } = await bench.gantry(['migrate', 'plan']);

        expect(code).toBe(0);
        expect(stderr).toMatch(/articles_article: .+ a migration would need: ALTER TABLE "articles_article"/);
        expect(stderr).toContain('articles_article.old no longer belongs to a field; its values are kept.');
      });
    });

    describe('gantry doctor', () => {
      it('finds nothing wrong where nothing is', async () => {
        const { code, stdout } = await bench.gantry(['doctor']);

        expect(stdout).not.toMatch(/^(warn|FAIL)/m);
        expect(stdout).toMatch(/^ok {4}PostgreSQL +\d+\.\d+ \(DATABASE_URL\)$/m);
        expect(stdout).toMatch(/^ok {4}Locale +case is ignored in all scripts/m);
        expect(stdout).toMatch(/^ok {4}Connections +a host uses up to \d+ of the \d+ that PostgreSQL allows$/m);
        expect(stdout).toMatch(/^ok {4}Plugins +1 plugin can be used$/m);
        expect(code).toBe(0);
      });

      it('finds that a migrated schema fits the plugins, as the plan of migrations does', async () => {
        const database = await createTestDatabase();
        try {
          const environment = { DATABASE_URL: database.url };
          expect((await bench.gantry(['migrate', 'up'], { environment })).code).toBe(0);
          const checks = await bench.json(['doctor'], { environment });

          expect(checks).toContainEqual({ name: 'Schema', status: 'ok', message: expect.stringMatching(/^fits /) });
        } finally {
          await database.drop();
        }
      });

      it.each([
        ['warns of a database that allows too few connections for two hosts', '', 'warn', 5, 0],
        ['refuses more connections than the database allows', '52', 'FAIL', 52, 1],
      ])('%s', async (_title, connections, status, wanted, exitCode) => {
        const database = await createTestDatabase({ options: 'CONNECTION LIMIT 8' });
        try {
          const environment = { DATABASE_URL: database.url, GANTRY_DATABASE_CONNECTIONS: connections };
          const { code, stdout } = await bench.gantry(['doctor'], { environment });

          expect(stdout).toMatch(
            new RegExp(
              `^${status} +Connections +a host uses up to ${wanted} of the 8 .+\\n +\\S.+GANTRY_DATABASE_CONNECTIONS`,
              'm',
            ),
          );
          expect(code).toBe(exitCode);
        } finally {
          await database.drop();
        }
      });

      it('checks the rest when something fails, says what to do, and ends with exit code 1', async () => {
        const environment = {
          DATABASE_URL: 'postgres://127.0.0.1:1/none',
          GANTRY_PLUGIN_PATH: bench.folderOf('test/samples/broken/no-definition'),
        };
        const { code, stdout } = await bench.gantry(['doctor'], { environment });

        expect(code).toBe(1);
        expect(stdout).toMatch(/^FAIL {2}PostgreSQL +The database at 127\.0\.0\.1:1\/none .+\n +\S.+/m);
        expect(stdout).toMatch(/^FAIL {2}Plugins +no-definition: .+\n +\S.+/m);
        expect(stdout).toMatch(/^ok {4}Node\.js/m);
      });

      it.each([
        ['is a file', (home: string) => writeFileSync(home, ''), 'not a folder'],
        [
          'has a folder in place of run.json',
          (home: string) => mkdirSync(join(home, 'run.json'), { recursive: true }),
          '(EISDIR)',
        ],
      ])('checks the rest when the home %s', async (_what, breakHome, message) => {
        const home = join(bench.home, '..', `broken-${message.length}`);
        breakHome(home);
        const { code, stdout, stderr } = await bench.gantry(['doctor'], { environment: { GANTRY_HOME: home } });

        expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
        expect(stdout).toMatch(/^FAIL {2}Home .+\n +\S.+/m);
        expect(stdout).toContain(message);
        expect(stdout).toMatch(/^(?:ok|FAIL) +Plugins/m);
        expect(stdout).toMatch(/^ok {4}Port/m);
      });

      it.each([
        ['ignores case for a to z only', "LOCALE_PROVIDER libc LOCALE 'C'", 'CONTAINS .* a to z only'],
        ['indexes a to z only', "LC_CTYPE 'C'", 'Searches .* a to z only'],
      ])('warns of a database that %s, and says how to make another', async (_title, options, message) => {
        const database = await createTestDatabase({ options });
        try {
          const checks = await bench.json(['doctor'], { environment: { DATABASE_URL: database.url } });

          expect(checks).toContainEqual({
            name: 'Locale',
            status: 'warn',
            message: expect.stringMatching(`^${message}.*: .*LC_CTYPE .* C\\.$`),
            remedy: expect.stringContaining("LC_CTYPE 'C.UTF-8'"),
          });
        } finally {
          await database.drop();
        }
      });

      it('prints the same for programs, and warns where no plugin is found', async () => {
        const checks = await bench.json(['doctor'], {
          environment: { GANTRY_PLUGIN_PATH: '/nowhere', GANTRY_PROJECT: bench.home },
        });

        expect(checks).toContainEqual({
          name: 'Plugins',
          status: 'warn',
          message: expect.stringContaining(' /nowhere'),
          remedy: expect.stringContaining('GANTRY_PROJECT'),
        });
      });

      it('tries the embedded PostgreSQL before the first start, and leaves nothing behind', async () => {
        const { code, stdout } = await bench.gantry(['doctor'], { environment: { DATABASE_URL: '' } });

        expect(stdout).toMatch(/^ok {4}PostgreSQL +18\.\d+ \(embedded\)$/m);
        expect(stdout).toMatch(/^ok {4}Schema +the database is created at the first start$/m);
        expect(code).toBe(0);
        expect(existsSync(bench.home)).toBe(false);
      });
    });
  });
}
