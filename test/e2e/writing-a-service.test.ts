import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { freePort } from '../support/free-port';
import { expectAnswer, partsOfPage, titleOf } from '../support/page-commands';
import { findTemporalCli } from '../support/temporal-binaries';
import { createWalkFolder } from '../support/walk-folder';
import { startGantry, type GantryProcess } from './support/gantry-process';

describe('the service of docs/writing-a-service.md', () => {
  const folder = createWalkFolder();
  let address: string;
  let database: TestDatabase;
  let platform: GantryProcess | undefined;

  beforeAll(async () => {
    address = `http://127.0.0.1:${await freePort()}`;
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await platform?.stop();
    await database.drop();
    folder.remove();
  });

  test.each(partsOfPage('writing-a-service.md').map((part) => [titleOf(part), part] as const))(
    '%s',
    async (_title, part) => {
      if (part.kind === 'file') {
        const file = join(folder.path, 'my-plugins/repairs', part.path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, part.content);
        return;
      }
      const start = /^GANTRY_PLUGIN_PATH=(\S+) npm start$/.exec(part.commands);
      if (start !== null) {
        platform = await startPlatform(start[1] ?? '');
        return;
      }
      const { printed, code } = await folder.run(part.commands.replaceAll('http://127.0.0.1:3000', address), {});
      if (part.answer !== undefined) expectAnswer(printed, part.answer);
      expect(code).toBe(0);
    },
    120_000,
  );

  /** `npm start` after what it installs and builds, which has been done for this very test. */
  async function startPlatform(pluginPath: string): Promise<GantryProcess> {
    const environment = {
      GANTRY_PLUGIN_PATH: pluginPath,
      GANTRY_TEMPORAL_CLI: await findTemporalCli(),
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: '',
    };
    const started = startGantry(['--port', new URL(address).port], environment, folder.path);
    await started.ready;
    return started;
  }
});
