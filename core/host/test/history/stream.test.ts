import { itemActions } from '@gantry/contracts';
import { eventually } from '../../../../test/support/eventually';
import { createOpenPolicy, createRolePolicy, userScope } from '@gantry/core-content';
import { setPrincipal, requestIdOf } from '@gantry/core-http';
import { declareType } from '../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from '../content/support/serve-items';

const Leaf = declareType('Leaf', { name: { required: true, searchable: true } });
const Twig = declareType('Twig', { name: { required: true, searchable: true } });

let content: OpenTypes;
let served: ServedItems;
let isRevoked = false;

beforeAll(async () => {
  content = await openTypes([Leaf, Twig]);
  const open = createOpenPolicy(content.types);
  const grants = [
    {
      on: { plugin: 'workshop', type: 'leaf' },
      actions: [...itemActions],
      where: [{ field: 'name', operator: 'CONTAINS', value: 'green' }],
    },
  ] as const;
  const limited = createRolePolicy(content.types, grants, { id: '8', login: 'ben@example.org' });
  served = await serveItems(content, (request) => {
    if (request.headers['x-revocable'] !== undefined) {
      const confirm = (): void => {
        if (isRevoked) throw new Error('revoked');
      };
      setPrincipal(request, {} as never, { confirm, assertPresent: () => Promise.resolve() });
    }
    const isLimited = request.headers['x-limited'] !== undefined;
    return userScope(isLimited ? limited : open, 'local', requestIdOf(request));
  });
});

afterAll(() => served.close());

interface Stream {
  readonly status: number;
  readonly events: readonly { readonly event: string; readonly id: string; readonly data: unknown }[];
  readonly text: string;
  readonly isEnded: boolean;
  close(): void;
}

const opened: Stream[] = [];

afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});

/** Reads until it is closed or ends. */
async function follow(path = '', headers: Record<string, string> = {}): Promise<Stream> {
  const aborted = new AbortController();
  const open = () => fetch(`${served.address}/api/cms/changes/stream${path}`, { headers, signal: aborted.signal });
  let response = await open();
  // The streams of the test before may not have ended yet.
  await eventually(async () => {
    if (response.status === 503) response = await open();
    return response.status !== 503;
  });
  let text = '';
  let isEnded = false;
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      isEnded = true;
    });
  const stream: Stream = {
    status: response.status,
    get text() {
      return text;
    },
    get isEnded() {
      return isEnded;
    },
    get events() {
      return text
        .split('\n\n')
        .flatMap((block) => {
          const members = Object.fromEntries(
            block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]),
          );
          return members['event'] === undefined
            ? []
            : [
                {
                  event: members['event'],
                  id: members['id'] ?? '',
                  data: JSON.parse(members['data'] ?? '{}') as unknown,
                },
              ];
        })
        .filter(({ event }) => event === 'change');
    },
    close: () => aborted.abort(),
  };
  opened.push(stream);
  await eventually(() => response.status !== 200 || text.includes('event: ready'));
  return stream;
}

async function create(type: string, name: string): Promise<number> {
  const response = await fetch(`${served.address}/api/cms/items/${type}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return ((await response.json()) as { data: { id: number } }).data.id;
}

/** Of the changes with these names; others may come too, which transactions in other databases of the server have held back. */
const seen = (stream: Stream, ...names: readonly string[]): readonly string[] =>
  stream.events
    .map(({ data }) => (data as { values?: { name: string } }).values?.name ?? '')
    .filter((name) => names.includes(name));

describe('the stream of changes', () => {
  it('sends what is written after it began, as the reader may see it, and of the types that are wanted', async () => {
    await create('leaf', 'before');
    const [all, leaves, limited] = [
      await follow(),
      await follow('?types=leaf'),
      await follow('', { 'x-limited': '1' }),
    ];
    const names = ['green one', 'twig', 'red one', 'green two'];
    await create('leaf', 'green one');
    await create('twig', 'twig');
    await create('leaf', 'red one');
    await create('leaf', 'green two');
    await eventually(() => [all, leaves, limited].every((stream) => seen(stream, 'green two').length > 0));
    expect(seen(all, ...names)).toEqual(names);
    expect(seen(leaves, ...names)).toEqual(['green one', 'red one', 'green two']);
    expect(seen(limited, ...names)).toEqual(['green one', 'green two']);
    expect(limited.text).not.toContain('red');
  });

  it('goes on where the client was, by position or by the id of its last event, with nothing lost or twice', async () => {
    const names = ['one', 'two', 'three'];
    const first = await follow();
    await create('leaf', 'one');
    await eventually(() => seen(first, 'one').length === 1);
    const last = first.events.at(-1)?.id ?? '';
    first.close();
    await create('leaf', 'two');
    const byPosition = await follow(`?after=${last}`);
    const byId = await follow('', { 'last-event-id': last });
    await create('leaf', 'three');
    await eventually(() => [byPosition, byId].every((stream) => seen(stream, 'three').length > 0));
    expect([seen(byPosition, ...names), seen(byId, ...names)]).toEqual([
      ['two', 'three'],
      ['two', 'three'],
    ]);
  });

  it('ends within seconds for a reader whose rights have changed', async () => {
    const stream = await follow('', { 'x-revocable': '1' });
    isRevoked = true;
    await eventually(() => stream.isEnded);
  });

  it('is refused when too many are open, and for a position or type that is none', async () => {
    const statuses = await Promise.all(
      ['?after=x', '?after=9.1.1', '?types=none'].map(
        async (query) => (await fetch(`${served.address}/api/cms/changes/stream${query}`)).status,
      ),
    );
    expect(statuses).toEqual([400, 400, 404]);
    await Promise.all([follow(), follow(), follow()]);
    const refused = await fetch(`${served.address}/api/cms/changes/stream`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('ends when the process retires, which sends clients that come back to the next one', async () => {
    const stream = await follow();
    served.drain();
    await eventually(() => stream.isEnded);
    const response = await fetch(`${served.address}/api/cms/changes/stream`);
    expect([response.status, response.headers.get('connection'), await response.text()]).toEqual([
      200,
      'close',
      'retry: 1000\n\n',
    ]);
  });
});
