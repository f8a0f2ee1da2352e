import type { Failure, ImportProblem, ImportProgress, ImportReport } from '@gantry/contracts';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { Client } from 'pg';
import { execute } from '../../support/database';
import { eventually } from '../../support/eventually';
import { useTestHost } from '../../support/platform';
import { itemsOf, send, type Answer } from '../../support/rest-client';

const limit = 24 * 1024 * 1024;
const lineLimit = 4 * 1024 * 1024;
const host = useTestHost({
  environment: { GANTRY_IMPORT_LIMIT: String(limit), GANTRY_IMPORT_LINE_LIMIT: String(lineLimit) },
});
const items = itemsOf(host);
const csv = { 'content-type': 'text/csv' };
const withProgress = { ...csv, accept: 'application/x-ndjson' };

function importFile(
  type: string,
  body: string | Buffer,
  query = '',
  headers: Readonly<Record<string, string>> = csv,
): Promise<Answer> {
  return send(host.address, `/api/cms/imports/${type}${query}`, { method: 'POST', body, headers });
}

interface Line {
  readonly progress?: ImportProgress;
  readonly problem?: ImportProblem;
  readonly data?: ImportReport;
  readonly error?: Failure['error'];
}

async function countOf(type: string): Promise<number> {
  return (await items.list(type, '?limit=1&total=true')).json.meta.total as number;
}

function linesOf({ text }: Answer): readonly Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

beforeAll(() => items.created('catalog', { code: 'spring', name: 'Spring' }));

describe('a sound file', () => {
  it('becomes items, with references by their keys', async () => {
    const answer = await importFile(
      'product',
      'code,name,price,catalog\nC-1,"Spade, folding",24.90,spring\nC-2,Rake,,spring\n',
    );

    expect(answer.status).toBe(200);
    expect(answer.json.data).toEqual({
      items: 2,
      created: 2,
      updated: 0,
      unchanged: 0,
      badItems: 0,
      problems: 0,
      dryRun: false,
      kept: true,
      details: [],
    });
    const found = await items.list('product', '?sort=code', [{ field: 'code', operator: 'CONTAINS', value: 'C-' }]);
    expect(found.json.data[0].values).toMatchObject({ name: 'Spade, folding', catalog: { label: 'Spring' } });
    expect(found.text).toContain('"price":24.9000');
  });

  it.each([
    ['application/x-ndjson', '{"code":"J-1","catalog":"spring"}\n\n{"code":"J-2","catalog":"spring"}\n'],
    ['application/jsonl', '{"code":"J-3","catalog":"spring"}\n{"code":"J-4","catalog":"spring"}'],
    ['application/json; charset=utf-8', '[{"code":"J-5","catalog":"spring"},{"code":"J-6","catalog":"spring"}]'],
    ['text/csv; charset="UTF-8"', '\uFEFFcode,catalog\r\nJ-7,spring\r\nJ-8,spring\r\n'],
  ])('may be %s', async (type, body) => {
    const answer = await importFile('product', body, '', { 'content-type': type });

    expect([answer.status, answer.json.data.created]).toEqual([200, 2]);
  });

  it('may have columns of other names, another delimiter, and lack what is the same for all', async () => {
    const query = new URLSearchParams({
      delimiter: ';',
      map: JSON.stringify({ Number: 'code', 'Title = of it': 'name' }),
      set: JSON.stringify({ catalog: 'spring' }),
      ignoreUnknown: 'true',
    });
    const answer = await importFile('product', 'Number;Title = of it;Colour\nM-1;Hoe;red\n', `?${query}`);

    expect(answer.json.data.created).toBe(1);
    const found = await items.list('product', '', [{ field: 'code', operator: 'EQUALS', value: 'M-1' }]);
    expect(found.json.data[0].values.name).toBe('Hoe');
  });

  it('may have columns that are left out, although their names are those of fields', async () => {
    const query = `?map=${encodeURIComponent(JSON.stringify({ name: '', id: '' }))}`;
    await importFile('catalog', 'id,code,name\n7,left-out,Not wanted\n', query);

    const found = await items.list('catalog', '', [{ field: 'code', operator: 'EQUALS', value: 'left-out' }]);
    expect(found.json.data[0].values.name).toBeNull();
  });

  it('changes the items that match and creates the others', async () => {
    await importFile('catalog', 'code,name\nautumn,Autumn\nwinter,Winter\n');

    const answer = await importFile(
      'catalog',
      'code,name\nautumn,Fall\nwinter,Winter\nmonsoon,Monsoon\n',
      '?match=code',
    );

    expect(answer.json.data).toMatchObject({ items: 3, created: 1, updated: 1, unchanged: 1, kept: true });
  });

  it('is only checked by a dry run', async () => {
    const before = await countOf('catalog');

    const answer = await importFile('catalog', 'code\ndry-1\ndry-2\n', '?dryRun=true');

    expect(answer.json.data).toMatchObject({ items: 2, created: 2, kept: false, dryRun: true });
    expect(await countOf('catalog')).toBe(before);
  });

  it('may be sent as bytes whose format is in the query', async () => {
    const bytes = { 'content-type': 'application/octet-stream' };
    const lines = '{"code":"byte-1"}\n{"code":"byte-2"}\n';
    const answer = await importFile('catalog', lines, '?format=jsonl&dryRun=true', bytes);
    expect(answer.json.data).toMatchObject({ items: 2, created: 2, problems: 0 });

    const refused = async (query: string, headers = bytes) => {
      const { status, json } = await importFile('catalog', lines, query, headers);
      return [status, json.error.details];
    };
    const detail = (code: string, message: string) => [400, [{ path: 'format', code, message }]];
    expect(await refused('')).toEqual(detail('REQUIRED', 'format must be given with application/octet-stream'));
    expect(await refused('?format=xml')).toEqual([400, [expect.objectContaining({ path: 'format' })]]);
    expect(await refused('?format=jsonl', csv)).toEqual(
      detail('VALUE_INVALID', 'format is jsonl, and the file is text/csv'),
    );
  });

  it('may have no items at all', async () => {
    expect((await importFile('catalog', 'code\n')).json.data).toMatchObject({ items: 0, kept: true });
  });
});

describe('a file with lines that are wrong', () => {
  const wrong = 'code,price,catalog\nW-1,1,spring\nW-2,cheap,spring\nW-1,2,spring\n,3,spring\nW-5,4,nowhere\n';

  it('is refused as a whole, and every line is reported with its number', async () => {
    const before = await countOf('product');

    const answer = await importFile('product', wrong);

    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('4 of 5'),
    });
    expect(answer.json.error.details.map(({ line, path, code }: ImportProblem) => `${line} ${path} ${code}`)).toEqual([
      '3 price WRONG_TYPE',
      '4 code NOT_UNIQUE',
      '5 code REQUIRED',
      '6 catalog REFERENCE_NOT_FOUND',
    ]);
    expect(await countOf('product')).toBe(before);
  });

  it('is reported by a dry run as a result', async () => {
    const answer = await importFile('product', wrong, '?dryRun=true');

    expect(answer.status).toBe(200);
    expect(answer.json.data).toMatchObject({ items: 5, badItems: 4, problems: 4, kept: false, dryRun: true });
    expect(answer.json.data.details).toHaveLength(4);
  });

  it('has the first thousand of its problems in the answer and all of them counted', async () => {
    const answer = await importFile('product', `code,catalog\n${'X,nowhere\n'.repeat(1200)}`, '?dryRun=true');

    expect(answer.json.data.details).toHaveLength(1000);
    expect(answer.json.data).toMatchObject({ items: 1200, badItems: 1200, problems: 1200 });
  });

  it('that fails half way leaves nothing of what was before', async () => {
    const before = await countOf('catalog');
    const many = Array.from({ length: 3000 }, (_, index) => `half-${index}`).join('\n');

    const answer = await importFile(
      'catalog',
      Buffer.concat([Buffer.from(`code\n${many}\n`), Buffer.from([0xff, 0x0a])]),
    );

    expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
    expect(answer.json.error.message).toMatch(/ 3002 .*UTF-8/);
    expect(await countOf('catalog')).toBe(before);
  });
});

describe('a client that asks for the progress', () => {
  it('is reported in lines, and the last one is the envelope', async () => {
    const body = `code\n${Array.from({ length: 5000 }, (_, index) => `p-${index}`).join('\n')}\n`;

    const answer = await importFile('catalog', body, '', withProgress);

    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const lines = linesOf(answer);
    const progress = lines.flatMap((line) => (line.progress === undefined ? [] : [line.progress]));
    expect(progress[0]).toMatchObject({ badItems: 0, size: body.length, keeping: false });
    expect(progress.at(-1)).toMatchObject({ items: 5000, read: body.length, keeping: true });
    expect(lines.at(-1)).toMatchObject({ data: { created: 5000, kept: true } });
  });

  it('gets each problem when it is found, and the envelope of the error at last', async () => {
    const answer = await importFile('catalog', 'code,name\ngood,x\n,y\n,z\n', '', withProgress);

    expect(answer.status).toBe(200);
    const lines = linesOf(answer);
    expect(lines.flatMap(({ problem }) => (problem === undefined ? [] : [`${problem.line} ${problem.code}`]))).toEqual([
      '3 REQUIRED',
      '4 REQUIRED',
    ]);
    expect(lines.at(-1)?.error).toEqual({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('2 of 3'),
      requestId: expect.any(String),
    });
  });

  it('gets an ordinary refusal for a file that cannot be begun', async () => {
    const answer = await importFile('catalog', 'code,colour\na,b\n', '', withProgress);

    expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
    expect(answer.json.error.message).toMatch(/ colour\..* map, .* ignoreUnknown=true\. .* name, code\.$/);
  });

  it('learns of a file that breaks off after the answer has begun', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `late-${index},${'x'.repeat(200)}`).join('\n');
    const body = Buffer.concat([Buffer.from(`code,name\n${many}\n`), Buffer.from([0xff, 0x0a])]);

    const answer = await importFile('catalog', body, '', withProgress);

    expect(answer.status).toBe(200);
    expect(linesOf(answer).at(-1)).toMatchObject({ error: { code: 'BAD_REQUEST' } });
  });
});

describe('lines of megabytes', () => {
  const jsonLines = { 'content-type': 'application/x-ndjson' };

  it('are read by a thread where the limit is raised, with all digits and in the order of the file', async () => {
    const line = (code: string, name: string, price: string): string =>
      `{"code":"${code}","name":"${name}","price":${price},"catalog":"spring"}`;
    const file = [
      line('LONG-1', 'short', '1.10'),
      line('LONG-2', 'x'.repeat(3 * 1024 * 1024), '123456789012345.6789'),
      `{"code":${' '.repeat(2 * 1024 * 1024)}`,
      line('LONG-4', 'short', '2'),
      `${line('LONG-5', 'last', '123456789012345.6780')}${' '.repeat(1024 * 1024)}`,
    ];
    const answer = await importFile('product', file.join('\n'), '?dryRun=true', jsonLines);

    expect(answer.json.data).toMatchObject({ items: 5, created: 3, badItems: 2 });
    expect(answer.json.data.details).toMatchObject([
      { line: 2, path: 'name', code: 'TOO_LONG' },
      { line: 3, path: '', code: 'SYNTAX' },
    ]);
    const kept = await importFile('product', [file[0], file[3], file[4]].join('\n'), '', jsonLines);
    expect(kept.json.data).toMatchObject({ created: 3, kept: true });
    const found = await items.list('product', '', [{ field: 'code', operator: 'EQUALS', value: 'LONG-5' }]);
    expect(found.text).toContain('"price":123456789012345.6780');
  });

  it('are refused with their number beyond it', async () => {
    const answer = await importFile('product', `{"code":"a"}\n${' '.repeat(lineLimit)}{"code":"b"}`, '', jsonLines);

    expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
    expect(answer.json.error.message).toMatch(new RegExp(`Line 2 .* ${lineLimit} `));
  });
});

interface Refused {
  readonly what: string;
  readonly type?: string;
  readonly body?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: readonly [number, string];
}

describe('a request that cannot be an import', () => {
  it.each<Refused>([
    { what: 'no such type', type: 'nothing', answer: [404, 'TYPE_NOT_FOUND'] },
    { what: 'no media type', headers: {}, answer: [415, 'UNSUPPORTED_MEDIA_TYPE'] },
    {
      what: 'a media type that is no file',
      headers: { 'content-type': 'text/plain' },
      answer: [415, 'UNSUPPORTED_MEDIA_TYPE'],
    },
    {
      what: 'another charset',
      headers: { 'content-type': 'text/csv; charset=latin1' },
      answer: [415, 'UNSUPPORTED_MEDIA_TYPE'],
    },
    {
      what: 'a compressed body',
      headers: { ...csv, 'content-encoding': 'gzip' },
      answer: [415, 'UNSUPPORTED_MEDIA_TYPE'],
    },
    { what: 'an unknown parameter', query: '?dry-run=true', answer: [400, 'BAD_REQUEST'] },
    { what: 'a flag that is neither true nor false', query: '?dryRun=1', answer: [400, 'BAD_REQUEST'] },
    { what: 'a delimiter of two characters', query: '?delimiter=%3B%3B', answer: [400, 'BAD_REQUEST'] },
    { what: 'a map that is no JSON', query: '?map=a', answer: [400, 'BAD_REQUEST'] },
    { what: 'a map of numbers', query: '?map={"code":1}', answer: [400, 'BAD_REQUEST'] },
    { what: 'a map to a field that there is none of', query: '?map={"code":"kode"}', answer: [400, 'BAD_REQUEST'] },
    { what: 'a match by a field that is not unique', query: '?match=name', answer: [400, 'BAD_REQUEST'] },
    { what: 'no body', body: '', answer: [400, 'BAD_REQUEST'] },
    { what: 'a page of another site', headers: { ...csv, origin: 'http://evil.example' }, answer: [403, 'FORBIDDEN'] },
  ])('is refused: $what', async ({ type = 'catalog', body = 'code\n', query = '', headers = csv, answer }) => {
    const { status, json } = await importFile(type, body, query, headers);

    expect([status, json.error.code]).toEqual(answer);
  });

  it('is refused with the message of the specification for an unknown type', async () => {
    expect((await importFile('nothing', 'code\n')).json.error.message).toBe('CMS Type not found: nothing');
  });

  it('is refused when the file is over the limit, announced or not', async () => {
    const body = Buffer.alloc(limit + 1, 'x');
    const unannounced = { ...csv, 'transfer-encoding': 'chunked' };

    const answers = [await importFile('catalog', body), await importFile('catalog', body, '', unannounced)];

    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
      [413, 'PAYLOAD_TOO_LARGE'],
      [413, 'PAYLOAD_TOO_LARGE'],
    ]);
    expect(answers[0]?.json.error.message).toContain(`more than ${limit} bytes`);
  });

  it('is refused with the method that the path offers', async () => {
    const answer = await send(host.address, '/api/cms/imports/catalog');

    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
  });
});

describe('a large file', () => {
  it('takes no memory that grows with it', async () => {
    const rows = Array.from(
      { length: 80_000 },
      (_, index) => `L-${index},A name that is of ordinary length ${index},spring,${index}`,
    );
    await importFile('product', `code,name,catalog,price\n${rows.slice(0, 5_000).join('\n')}\n`, '?dryRun=true');
    const before = await residentMegabytes();

    // Search entries and changes take PostgreSQL most of its time, and the host no memory.
    const triggers = (state: 'DISABLE' | 'ENABLE') =>
      execute(host.databaseUrl, `ALTER TABLE catalog_product ${state} TRIGGER USER`);
    await triggers('DISABLE');
    const file = `code,name,catalog,price\n${rows.join('\n')}\n`;
    const answer = await importFile('product', file, '?dryRun=true').finally(() => triggers('ENABLE'));

    expect(answer.json.data).toMatchObject({ items: 80_000, created: 80_000, problems: 0 });
    // Kept in memory, the items would take some 160 MB; the heap alone moves by 80.
    expect((await residentMegabytes()) - before).toBeLessThan(128);
  });

  it('is cancelled by a client that disconnects, and nothing of it is written', async () => {
    const before = await countOf('product');
    const progress = openImport('product', 40_000);
    await progress.begun;

    progress.request.destroy();

    await eventually(async () => (await activeImports()) === 0);
    expect(await countOf('product')).toBe(before);
  });

  it('waits for the other when two are on their way', async () => {
    const first = openImport('product', 40_000);
    const second = openImport('product', 40_000);
    await Promise.all([first.begun, second.begun]);

    const answer = await importFile('catalog', 'code\nthird\n');

    expect([answer.status, answer.json.error.code, answer.headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5']);
    first.request.destroy();
    second.request.destroy();
    await eventually(async () => (await importFile('catalog', 'code\nthird\n', '?dryRun=true')).status === 200);
  });
});

describe('files that arrive slowly', () => {
  it('keep no other import from running', async () => {
    const slow = Array.from({ length: 6 }, () => openSlowImport('catalog'));
    await Promise.all(slow.map(({ sent }) => sent));

    const answer = await importFile('catalog', 'code\nquick\n', '?dryRun=true');

    expect([answer.status, answer.json.data?.items]).toEqual([200, 1]);
    for (const { request } of slow) request.destroy();
  });
});

/** Sends the beginning of a file and no more. */
function openSlowImport(type: string): { readonly request: ClientRequest; readonly sent: Promise<void> } {
  const { hostname, port } = new URL(host.address);
  const path = `/api/cms/imports/${type}?dryRun=true`;
  const headers = { 'content-type': 'text/csv', expect: '100-continue' };
  const request = httpRequest({ hostname, port, path, method: 'POST', agent: false, headers });
  request.on('error', () => undefined);
  // The platform asks for the body when its handler has begun.
  const sent = new Promise<void>((resolve) => {
    request.once('continue', () => request.write('code\n', () => resolve()));
  });
  request.flushHeaders();
  return { request, sent };
}

/** Begins a dry run that wants to hear of its progress, and says when the first line has come. */
function openImport(type: string, rows: number): { readonly request: ClientRequest; readonly begun: Promise<void> } {
  const { hostname, port } = new URL(host.address);
  const path = `/api/cms/imports/${type}`;
  const request = httpRequest({ hostname, port, path, method: 'POST', agent: false, headers: withProgress });
  const begun = new Promise<void>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      response.on('error', () => undefined);
      response.once('data', () => resolve());
    });
  });
  const lines = Array.from({ length: rows }, (_, index) => `Z-${process.hrtime.bigint()}-${index},spring`);
  request.end(`code,catalog\n${lines.join('\n')}\n`);
  return { request, begun };
}

/** Transactions on products that are open. */
async function activeImports(): Promise<number> {
  const client = new Client({ connectionString: host.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`,
    );
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}

async function residentMegabytes(): Promise<number> {
  const { text } = await send(host.address, '/metrics');
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1024 / 1024;
}
