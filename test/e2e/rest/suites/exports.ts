import { Client } from 'pg';
import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { openConnection, type RawConnection } from '../../../support/raw-connection';
import { itemsOf, problemsOf, send, sendJson, type Answer } from '../../../support/rest-client';
import { fillHoard } from '../support/fill-hoard';

/** Files of items. */
export function describeExports(host: TestHost): void {
  let client: Client;

  // Before the host takes its database away.
  afterAll(() => client.end());

  const items = itemsOf(host);

  const rows = 60_000;

  beforeAll(async () => {
    client = new Client({ connectionString: host.databaseUrl });
    await client.connect();
    await fillHoard(host.databaseUrl, rows);
    await fill();
  });

  /** In the order in which their files can be imported. */
  const types = [
    'catalog',
    'product',
    'category',
    'promotion',
    'article',
    'trendingarticlecomponent',
    'gauge',
  ] as const;

  const awkward = [
    'say "hi"',
    'two  blanks',
    'no\u00a0break',
    '=1+1',
    "'=quoted",
    '-5',
    '@cmd',
    'a,b;c d',
    'a|b/c\\d',
    'ü€𝄞',
  ];

  /** A key has no space but U+0020. */
  function keyOf(text: string): string {
    return text.replaceAll('\u00a0', ' ');
  }

  /** Items with every kind of value, and references to them. */
  async function fill(): Promise<void> {
    const [spring, autumn] = [
      await items.created('catalog', { code: 'spring', name: '=Spring' }),
      await items.created('catalog', { code: 'a|b/c', name: null }),
    ];
    const products: number[] = [];
    for (const [index, name] of awkward.entries()) {
      const catalog = index % 2 === 0 ? spring : autumn;
      const price = index % 3 === 0 ? null : index * 1.25;
      products.push(await items.created('product', { code: `P/${index}`, name, catalog, price }));
    }
    await items.create(
      'product',
      `{"code":"exact","catalog":${spring},"price":123456789012345.6789,"approvalStatus":"APPROVED"}`,
    );
    const tools = await items.created('category', { code: 'tools', catalog: spring });
    await items.created('category', { code: 'spades', catalog: spring, parent: tools });
    await items.created('category', { code: 'old', catalog: autumn, parent: tools });
    await items.created('promotion', { code: 'all', products: products.toReversed(), active: true });
    await items.created('promotion', { code: 'none', description: awkward.join('\n\t\r\n') });
    const articles: number[] = [];
    for (const title of awkward) articles.push(await items.created('article', { title, slug: keyOf(title) }));
    await items.created('trendingarticlecomponent', { title: 'Read', articles });
    const numbers = '"long":9223372036854775807,"exact":-0.000000000000000000001,"double":1e-7,"small":-1';
    await items.create('gauge', `{"name":"one","on":false,${numbers}}`);
    await items.create('gauge', '{"on":true}');
  }

  function exportFile(type: string, query = '', body: unknown = []): Promise<Answer> {
    return sendJson(host.address, 'POST', `/api/cms/exports/${type}${query}`, body);
  }

  /** All items without what another database would set. */
  async function picture(type: string): Promise<string> {
    const { text } = await items.list(type, '?sort=id&limit=1000');
    return text.replaceAll(/"(?:id|version)":\d+|"(?:createdAt|updatedAt)":"[^"]*"/g, '');
  }

  async function deleteAll(type: string): Promise<void> {
    // Children before their parents.
    for (const { id } of (await items.list(type, '?sort=-id&limit=1000')).json.data as readonly { id: number }[]) {
      expect((await items.remove(type, id)).status).toBe(204);
    }
  }

  describe('an export', () => {
    it.each([
      ['jsonl', '', '', 'application/x-ndjson; charset=utf-8'],
      ['json', '?format=json', '', 'application/json; charset=utf-8'],
      ['csv', '?format=csv', '', 'text/csv; charset=utf-8'],
      ['csv', '?format=csv&delimiter=%3B&safeCsv=true', '?delimiter=%3B&safeCsv=true', 'text/csv; charset=utf-8'],
    ])('as %s (%s) is imported again as the same items', async (extension, query, importQuery, mediaType) => {
      const before = await Promise.all(types.map(picture));
      const files: Answer[] = [];
      for (const type of types) files.push(await exportFile(type, query));
      expect(
        files.map(({ status, headers }) => [status, headers['content-type'], headers['content-disposition']]),
      ).toEqual(types.map((type) => [200, mediaType, `attachment; filename="${type}.${extension}"`]));
      for (const type of types.toReversed()) await deleteAll(type);

      for (const [index, type] of types.entries()) {
        const body = files[index]?.text ?? '';
        const path = `/api/cms/imports/${type}${importQuery}`;
        const report = await send(host.address, path, { method: 'POST', body, headers: { 'content-type': mediaType } });
        expect(report.json.error ?? report.json.data).toMatchObject({ kept: true, problems: 0 });
      }

      expect(await Promise.all(types.map(picture))).toEqual(before);
    });

    it('names references by their keys, in the order in which the items were made', async () => {
      const lines = (await exportFile('category')).text.trimEnd().split('\n');

      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        { code: 'tools', catalog: 'spring', parent: null },
        { code: 'spades', catalog: 'spring', parent: 'tools' },
        { code: 'old', catalog: 'a|b/c', parent: { code: 'tools', catalog: 'spring', catalogVersion: 'STAGED' } },
      ]);
    });

    it('has what meets the criteria of a list, compared as a list does', async () => {
      const criteria = [
        { field: 'price', operator: 'MORE_THAN', value: '5' },
        { field: 'code', operator: 'CONTAINS', value: 'p/' },
      ];
      const listed = (await items.list('product', '?sort=id', criteria)).json.data as readonly { values: object }[];
      const { text } = await exportFile('product', '?format=json', criteria);

      const codes = (values: readonly object[]) => values.map((value) => 'code' in value && value.code);
      expect(codes(JSON.parse(text))).toEqual(codes(listed.map(({ values }) => values)));
      expect(listed.length).toBeGreaterThan(2);
    });

    it('has only the chosen items, as far as they exist', async () => {
      const [first, , third] = (await items.list('product', '?sort=id')).json.data as readonly { id: number }[];
      const chosen = { items: [third?.id, first?.id, 987_654_321] };
      const exported = (await exportFile('product', '?format=csv&ids=true', chosen)).text;
      const none = await exportFile('product', '', { items: [], criteria: [] });
      const narrowed = await exportFile('product', '?ids=true', {
        ...chosen,
        criteria: [{ field: 'id', operator: 'MORE_THAN', value: String(first?.id) }],
      });

      expect([...exported.matchAll(/^(\d+),/gm)].map(([, id]) => Number(id))).toEqual([first?.id, third?.id]);
      expect([none.status, none.text]).toEqual([200, '']);
      expect(narrowed.text).toMatch(new RegExp(`^\\{"id":${third?.id},.*\\}\\n$`));
    });

    it('is of all items without a body, also of a type that is only read', async () => {
      const all = await send(host.address, '/api/cms/exports/catalog', { method: 'POST' });
      const ledger = await exportFile('ledger', '?format=csv');

      expect([all.status, all.text.split('\n')]).toEqual([200, [expect.any(String), expect.any(String), '']]);
      expect([ledger.status, ledger.text]).toEqual([200, 'entry\n']);
    });
  });

  interface Refused {
    readonly what: string;
    readonly type?: string;
    readonly query?: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly answer: readonly [number, string];
    /** Text in the message; for criteria also the paths and codes of the details. */
    readonly named: RegExp;
    readonly problems?: readonly string[];
  }

  describe('a request that cannot be an export', () => {
    const bad = [400, 'BAD_REQUEST'] as const;

    it.each<Refused>([
      {
        what: 'no such type',
        type: 'nothing',
        answer: [404, 'TYPE_NOT_FOUND'],
        named: /nothing/,
      },
      {
        what: 'an unknown format',
        query: '?format=xml',
        answer: bad,
        named: /jsonl, json, csv; "xml"/,
      },
      { what: 'an empty format', query: '?format=', answer: bad, named: /jsonl, json, csv; ""/ },
      {
        what: 'an unknown parameter',
        query: '?safe-csv=true',
        answer: bad,
        named: /Unknown .*"safe-csv"/,
      },
      {
        what: 'a repeated parameter',
        query: '?ids=true&ids=true',
        answer: bad,
        named: /Repeated .*"ids"/,
      },
      { what: 'a sort', query: '?sort=name', answer: bad, named: /format, delimiter, ids, / },
      {
        what: 'a flag that is neither',
        query: '?ids=1',
        answer: bad,
        named: /^ids: .*"1"/,
      },
      { what: 'two characters between values', query: '?delimiter=ab', answer: bad, named: /delimiter/ },
      { what: 'a quote between values', query: '?delimiter=%22', answer: bad, named: /delimiter/ },
      { what: 'a text as body', body: '"x"', answer: bad, named: /array .* object/ },
      { what: 'null as body', body: 'null', answer: bad, named: /array .* object/ },
      { what: 'no JSON', body: '[', answer: bad, named: /not valid JSON/ },
      {
        what: 'no criterion',
        body: [{ colour: 'red', field: 'name' }],
        answer: bad,
        named: /colour/,
        problems: ['[0].colour: CRITERION'],
      },
      {
        what: 'a value that does not fit',
        body: [{ field: 'price', operator: 'EQUALS', value: 'much' }],
        answer: bad,
        named: /"much" for price/,
        problems: ['[0].value: WRONG_TYPE'],
      },
      {
        what: 'criteria that a list passes over',
        body: [
          { field: 'colour', value: 'red' },
          { field: 'name', value: ' ' },
        ],
        answer: bad,
        named: / colour; .* name /,
      },
      {
        what: 'an unknown key',
        body: { id: [1] },
        answer: bad,
        named: /^id is not a member/,
      },
      {
        what: 'a key of every object',
        body: '{"__proto__":[]}',
        answer: bad,
        named: /__proto__ is not a member|not valid JSON/,
      },
      {
        what: 'criteria that are none',
        body: { criteria: {} },
        answer: bad,
        named: /^criteria: .*\{ field, operator, value \}/,
      },
      { what: 'items that are no array', body: { items: 5 }, answer: bad, named: /^items: must be an array/ },
      { what: 'an item that is no id', body: { items: [1, '2'] }, answer: bad, named: /items\[1\]/ },
      {
        what: 'an id out of range',
        body: '{"items":[9223372036854775808]}',
        answer: bad,
        named: /items\[0\]/,
      },
      {
        what: 'another media type',
        headers: { 'content-type': 'text/csv' },
        answer: [415, 'UNSUPPORTED_MEDIA_TYPE'],
        named: /application\/json/,
      },
      {
        what: 'too large a body',
        body: ' '.repeat(1024 * 1024 + 1),
        answer: [413, 'PAYLOAD_TOO_LARGE'],
        named: / 1048576 /,
      },
      {
        what: 'a page of another site',
        headers: { origin: 'http://evil.example' },
        answer: [403, 'FORBIDDEN'],
        named: /writes/,
      },
      {
        what: 'references to items that have no key at all',
        type: 'person',
        answer: bad,
        named: / boss .* ids=true/,
      },
    ])('is refused: $what', async ({ type = 'product', query = '', body = [], headers = {}, ...expected }) => {
      const path = `/api/cms/exports/${type}${query}`;
      const answer = await sendJson(host.address, 'POST', path, body, headers);

      expect([answer.status, answer.json.error.code]).toEqual(expected.answer);
      expect(answer.json.error.message).toMatch(expected.named);
      if (expected.problems !== undefined) expect(problemsOf(answer)).toEqual(expected.problems);
    });

    it('gets the error of the one item without a key behind many that have one, before the file begins', async () => {
      const last = await items.created('article', { title: 'Without a slug' });
      await client.query(
        `INSERT INTO articles_trendingarticlecomponent (title) SELECT 'many ' || n FROM generate_series(1, 2000) n`,
      );
      const component = await items.created('trendingarticlecomponent', { title: 'Last', articles: [last] });

      const refused = await exportFile('trendingarticlecomponent', '?format=csv');
      const passed = await exportFile('trendingarticlecomponent', '?format=csv&ids=true');

      expect([refused.status, refused.json.error.code]).toEqual([400, 'BAD_REQUEST']);
      expect(refused.json.error.message).toMatch(new RegExp(`: articles .* Article ${last}, .* slug .* ids=true`));
      expect(passed.text).toMatch(new RegExp(`\\n${component},Last,${last}\\n$`));
    });

    it('gets an error for a missing part of a key only where that part has to be written', async () => {
      const target = await items.created('constructor', { order: '1' });
      await items.created('constructor', { order: '2', r0: target });
      const near = await exportFile('constructor', '?format=csv', [{ field: 'order', operator: 'EQUALS', value: '2' }]);
      await items.created('constructor', { order: '3', select: 'elsewhere', r0: target });
      const far = await exportFile('constructor', '?format=csv');

      expect([near.status, near.text.split('\n')[1]]).toEqual([200, ',,,,,,,2,,,1,']);
      expect([far.status, far.json.error.message]).toEqual([
        400,
        expect.stringMatching(new RegExp(` r0 .* ${target}, .* select `)),
      ]);
    });

    it('is refused with the method that the path offers', async () => {
      const answer = await send(host.address, '/api/cms/exports/catalog');

      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    });
  });

  /** Sends an export whose answer the test reads as it likes. */
  async function openExport(): Promise<RawConnection> {
    const connection = await openConnection(host.port);
    connection.write(
      `POST /api/cms/exports/hoard HTTP/1.1\r\nHost: 127.0.0.1:${host.port}\r\nConnection: close\r\n\r\n`,
    );
    await connection.until(/"rank":1\b/);
    connection.socket.pause();
    return connection;
  }

  /** Streams that the database still has open. */
  async function openStreams(): Promise<number> {
    const result = await client.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'gantry stream' AND state <> 'idle'`,
    );
    return Number(result.rows[0]?.count);
  }

  async function residentMegabytes(): Promise<number> {
    const { text } = await send(host.address, '/metrics');
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1024 / 1024;
  }

  describe('a large file', () => {
    it('comes whole, and takes no memory that grows with it', async () => {
      await exportFile('hoard');
      const before = await residentMegabytes();

      const answer = await exportFile('hoard', '?format=csv');

      expect(answer.text.split('\n')).toHaveLength(rows + 2);
      expect((await residentMegabytes()) - before).toBeLessThan(64);
    });

    it('waits for a reader that stops, and ends in the database when the reader disconnects', async () => {
      const readers = await Promise.all([openExport(), openExport()]);
      // A stream that has just ended may still be shown.
      await eventually(async () => (await openStreams()) === 2);

      for (const reader of readers) reader.socket.destroy();

      await eventually(async () => (await openStreams()) === 0);
      expect((await exportFile('catalog')).status).toBe(200);
    });

    it('does not look complete when it breaks off half way', async () => {
      const reader = await openExport();
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'gantry stream' AND state <> 'idle'`,
      );
      reader.socket.resume();

      const received = await reader.closed();

      expect(received).toMatch(/^HTTP\/1\.1 200 /);
      // The last chunk is missing, by which a client knows that the answer is not whole.
      expect(received.endsWith('0\r\n\r\n')).toBe(false);
    });
  });
}
