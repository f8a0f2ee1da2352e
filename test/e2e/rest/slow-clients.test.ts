import { useTestHost } from '../../support/platform';
import { openConnection } from '../../support/raw-connection';
import { itemsOf } from '../../support/rest-client';
import { headOf, lastBody, statuses } from './support/raw-messages';
import { workbench } from './support/workbench';

/** The answer of the server until it closed a connection, and the seconds until then. */
type Ending = readonly [received: string, seconds: number];

interface SlowClients {
  /** Of those that do not finish their headers. */
  readonly heads: readonly Promise<Ending>[];
  /** Of those that do not finish their body. */
  readonly bodies: readonly Promise<Ending>[];
}

/** Clients that send a little at a time, for half a minute. */
describe('slow clients', () => {
  const host = useTestHost(workbench);
  let drip: NodeJS.Timeout | undefined;
  afterAll(() => clearInterval(drip));

  async function begin(): Promise<SlowClients> {
    const [heads, body, chunked] = await Promise.all([
      Promise.all(Array.from({ length: 50 }, () => openConnection(host.port))),
      openConnection(host.port),
      openConnection(host.port),
    ]);
    const started = Date.now();
    const post = (length: string): string =>
      headOf(host.port, 'POST /api/cms/items/article', 'Content-Type: application/json', length);
    for (const connection of heads) connection.write('GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    body.write(`${post('Content-Length: 5000')}{"title":"`);
    chunked.write(`${post('Transfer-Encoding: chunked')}1\r\n{\r\n`);
    drip = setInterval(() => {
      for (const connection of heads) connection.write('X-Drip: 1\r\n');
      body.write('x');
      chunked.write('1\r\n \r\n');
    }, 1_000);
    const end = async (connection: { closed(): Promise<string> }): Promise<Ending> => [
      await connection.closed(),
      (Date.now() - started) / 1_000,
    ];
    return { heads: heads.map(end), bodies: [body, chunked].map(end) };
  }

  it('hold up no one, and are answered 408 when the head or the body takes too long', async () => {
    const { heads, bodies } = await begin();
    const answers = await Promise.all(Array.from({ length: 20 }, () => itemsOf(host).get('types')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));

    for (const [received, seconds] of await Promise.all(heads)) {
      expect([statuses(received), lastBody(received).error.code]).toEqual([[408], 'REQUEST_TIMEOUT']);
      expect(seconds).toBeGreaterThan(9);
      // Before the limit of a body, also on a busy machine.
      expect(seconds).toBeLessThan(29);
    }
    for (const [received, seconds] of await Promise.all(bodies)) {
      expect([statuses(received), lastBody(received).error.code]).toEqual([[408], 'REQUEST_TIMEOUT']);
      expect(seconds).toBeGreaterThan(29);
    }
  });
});
