import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * A receiver of webhooks that fails, hangs, answers slowly and dies, and notes what it was sent.
 * @param {{ random: () => number, failures: number, hangs: number, slow: number }} options shares of the requests
 */
export async function startUnreliableReceiver({ random, failures, hangs, slow }) {
  /** In the order in which they came: { id, key, version, position, accepted, at }. */
  const requests = [];
  let isReliable = false;
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { id, data } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const entry = {
        id,
        item: `${data.type}/${data.id}`,
        version: data.version,
        position: data.position,
        at: Date.now(),
      };
      entry.header = request.headers['webhook-id'];
      requests.push(entry);
      const chance = isReliable ? 1 : random();
      if (chance < hangs) return;
      if (chance < hangs + failures) {
        response.writeHead(500).end();
        return;
      }
      // Noted as soon as it counts: the answer may not arrive any more.
      entry.accepted = true;
      const answer = () => response.writeHead(204).end();
      if (chance < hangs + failures + slow) setTimeout(answer, random() * 1_000);
      else answer();
    });
  });
  const listen = async (port) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    becomeReliable() {
      isReliable = true;
    },
    /** Breaks all connections and refuses new ones until `revive`. */
    async die() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    revive: () => listen(port),
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
