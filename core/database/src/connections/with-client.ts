import { Client, type ClientConfig } from 'pg';

/** Runs work on a separate connection, whose session ends with it. */
export async function withClient<T>(settings: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(settings);
  // An error of the connection also rejects the statement that is under way.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
