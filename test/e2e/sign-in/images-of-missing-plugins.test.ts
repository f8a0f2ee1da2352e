import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { plainPng } from '../../support/plain-png';
import { startTestHost, type TestHost } from '../../support/platform';
import { send } from '../../support/rest-client';
import { createPerson, createUsers, fromPage, sendAs, untilSignInIsRequired, useLink } from './support/accounts';

describe('images of items whose plugin is not in use', () => {
  // By this name the next test run clears away what a killed one has left (test/support/global-setup.cjs).
  const home = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-`));
  let database: TestDatabase;
  let host: TestHost;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await host.stop();
    await database.drop();
    rmSync(home, { recursive: true, force: true });
  });

  it('are hidden until it is in use again, also from those who upload images', async () => {
    const image = await prepare();
    expect(await answers(image)).toEqual({ ann: 200, editor: 200, reader: 200 });

    await restartWith(['plugins/media']);
    expect(await answers(image)).toEqual({ ann: 200, editor: 404, reader: 404 });

    await restartWith(['plugins/media', 'plugins/articles']);
    expect(await answers(image)).toEqual({ ann: 200, editor: 200, reader: 200 });
  });

  const sessions = { ann: '', editor: '', reader: '' };

  /** @returns the address of an image that only an article has */
  async function prepare(): Promise<string> {
    host = await start(['plugins/media', 'plugins/articles']);
    const [secret = ''] = await createUsers(host.databaseUrl, ['ann@example.com']);
    await untilSignInIsRequired(host.address);
    sessions.ann = await useLink(host.address, secret);
    sessions.editor = await createPerson(host.address, sessions.ann, 'editor@example.com', ['editor']);
    sessions.reader = await createPerson(host.address, sessions.ann, 'reader@example.com', ['reader']);
    const headers = { ...fromPage(host.address, sessions.ann), 'content-type': 'image/png' };
    const sent = await send(host.address, '/media/images', { method: 'POST', headers, body: plainPng(10, 10) });
    const image = String(sent.json.data.url);
    await sendAs(host.address, sessions.ann, 'POST', '/api/cms/items/article', { title: 'Tools', image });
    return image;
  }

  async function restartWith(plugins: readonly string[]): Promise<void> {
    await host.stop();
    host = await start(plugins);
  }

  function start(plugins: readonly string[]): Promise<TestHost> {
    const environment = { GANTRY_HOME: home };
    return startTestHost({ plugins, databaseUrl: database.url, environment });
  }

  async function answers(path: string): Promise<Readonly<Record<string, number>>> {
    const asked = Object.entries(sessions).map(async ([name, cookie]) => {
      const { status } = await send(host.address, path, { headers: { cookie } });
      return [name, status] as const;
    });
    return Object.fromEntries(await Promise.all(asked));
  }
});
