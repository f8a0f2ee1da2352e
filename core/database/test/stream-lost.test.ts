import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { createDatabase } from '../src/create-database';
import { createRecordedLogger } from '../../../test/support/recorded-logger';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});

afterAll(() => testDatabase.drop());

/** Passes everything on until the server has said a text, and breaks the connection after it. */
async function breakAfter(databaseUrl: string, text: string): Promise<{ readonly url: string; close(): void }> {
  const target = new URL(databaseUrl);
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      client.write(chunk);
      if (!chunk.includes(text)) return;
      upstream.destroy();
      client.destroySoon();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, close: () => server.close() };
}

describe('a stream whose connection breaks', () => {
  it.each([
    ['when all rows are read but the server has not said that it is ready again', 'SELECT 3\0'],
    ['before the first row', 'generate_series\0'],
  ])('%s ends with UNAVAILABLE instead of waiting without end', async (_when, text) => {
    const proxy = await breakAfter(testDatabase.url, text);
    const database = createDatabase({ url: proxy.url, logger: createRecordedLogger() });
    const stream = database.streamRows({ sql: 'SELECT generate_series(1, 3)' });
    await expect(stream.next()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(database.usage().stream).toMatchObject({ idle: 0, waiting: 0 });
    await database.close();
    proxy.close();
  });
});
