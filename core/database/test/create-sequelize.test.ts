import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { createSequelize } from '../src/create-sequelize';
import { isUnavailable } from '../src/database-errors';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});

afterAll(() => testDatabase.drop());

const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** Message of PostgreSQL to a session that an administrator ends. */
function terminated(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** Ends the first sessions in the very moment in which the server is ready for them. */
async function endWhenReady(databaseUrl: string, sessions: number): Promise<{ readonly url: string; close(): void }> {
  const target = new URL(databaseUrl);
  let left = sessions;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroySoon());
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      const ends = left > 0 && chunk.includes(readyForQuery);
      client.write(ends ? Buffer.concat([chunk, terminated()]) : chunk);
      if (!ends) return;
      left -= 1;
      upstream.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, close: () => server.close() };
}

describe('the connections for writes', () => {
  it('do not end the process when they are ended the moment they are made, and are made again', async () => {
    const proxy = await endWhenReady(testDatabase.url, 1);
    const sequelize = createSequelize(proxy.url);
    const failure = await sequelize.query('SELECT 1').then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(isUnavailable(failure)).toBe(true);
    const [rows] = await sequelize.query('SELECT 1 AS one');
    expect(rows).toEqual([{ one: 1 }]);
    await sequelize.close();
    proxy.close();
  });
});
