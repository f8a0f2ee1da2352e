import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates, type Certificates } from '../../../../test/support/make-certificates';
import { findWheelProgram } from '../../src/wheels/find-wheel-program';
import { makeWheel, wheelWith, type MadeWheel } from '../support/make-wheel';
import { startPythonIndex, type PythonIndex } from '../support/python-index';

const parcel = { name: 'parcel', distribution: 'parcel_bin', version: '1.2.3' };
const script = '#!/bin/sh\necho parcel\n';
const inCache = '.cache/gantry/parcel-bin-1.2.3/bin/parcel';

let certificates: Certificates;
let home: string;
let opened: PythonIndex[] = [];

beforeAll(async () => {
  certificates = await makeCertificates();
});

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'gantry-wheels-'));
  writeFileSync(join(home, 'authority.pem'), certificates.authority);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((index) => index.close()));
  rmSync(home, { recursive: true });
});

describe('a program from a Python index', () => {
  it.each([
    ['in JSON', true],
    ['in HTML', false],
  ])('comes from a page %s without Python, and then from the cache', async (_name, json) => {
    const wheel = makeWheel(parcel, script);
    const index = await open([wheel], { json });

    expect(await find(wheel, at(index))).toBe(join(home, inCache));
    expect(readFileSync(join(home, inCache), 'utf8')).toBe(script);
    expect(readdirSync(join(home, '.cache/gantry'))).toEqual(['parcel-bin-1.2.3']);

    const asked = index.requests.length;
    await find(wheel, at(index));
    expect(index.requests).toHaveLength(asked);
  });

  it('can be changed by its owner alone, whatever the umask is', async () => {
    const wheel = makeWheel(parcel, script);
    const index = await open([wheel]);
    const before = process.umask(0);
    await find(wheel, at(index)).finally(() => process.umask(before));

    const modes = ['.cache', '.cache/gantry', '.cache/gantry/parcel-bin-1.2.3', inCache].map((path) =>
      (statSync(join(home, path)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['755', '755', '755', '755']);
  });

  it('is in the cache of the home where that of the user cannot be written', async () => {
    const wheel = makeWheel(parcel, script);
    const index = await open([wheel]);
    writeFileSync(join(home, '.cache'), 'a file, where the folder should be');

    expect(await find(wheel, at(index))).toBe(join(home, '.gantry/cache/parcel-bin-1.2.3/bin/parcel'));
  });

  it.each(['/elsewhere', '../files', 'https://localhost:PORT/files'])(
    'is found through links relative to an element base with %s',
    async (base) => {
      const wheel = makeWheel(parcel, script);
      const index = await open([wheel]);
      const href = base.replace('PORT', String(index.port));
      const path =
        base === '../files'
          ? `/simple/files/${wheel.fileName}`
          : new URL(`${href}/${wheel.fileName}`, index.url).pathname;
      index.answer(path, (_request, response) => response.end(wheel.content));
      index.answer('/simple/parcel-bin/', (_request, response) => {
        const sum = `#md5=1&amp;sha256=${sumOf(wheel)}`;
        const link = `<a data-requires-python=">=3.7" href = '${encodeURI(wheel.fileName)}${sum}'>`;
        response.setHeader('content-type', 'text/html').end(`<base href="${href}/"><A name="x">${link}</a>`);
      });

      expect(await find(wheel, at(index))).toBe(join(home, inCache));
    },
  );

  it('is not asked for again where the index says another sum', async () => {
    const wheel = makeWheel(parcel, script);
    const index = await open([wheel]);
    index.answer('/simple/parcel-bin/', (_request, response) => {
      const hashes = { sha256: 'a'.repeat(64) };
      const files = [{ filename: wheel.fileName, url: `/files/${wheel.fileName}`, hashes }];
      response.setHeader('content-type', 'application/vnd.pypi.simple.v1+json').end(JSON.stringify({ files }));
    });

    await expect(find(wheel, at(index))).rejects.toThrow(/parcel_bin-\S+ has the SHA-256 sum aaaaaaaaaaaa…, expected /);
    expect(index.requests.map(({ path }) => path)).toEqual(['/simple/parcel-bin/']);
  });

  it('with another sum is not used, and nothing is left of it', async () => {
    const wheel = makeWheel(parcel, script);
    const index = await open([{ ...wheel, content: Buffer.concat([wheel.content, Buffer.from('x')]) }]);

    await expect(find(wheel, at(index))).rejects.toThrow(
      /parcel_bin-\S+ has the SHA-256 sum .* is not used; name another index/,
    );
    expect(readdirSync(join(home, '.cache/gantry'))).toEqual([]);
  });

  it.each([
    ['a name that leads out of the folder', { name: '../../evil', content: 'x' }, /invalid relative path/],
    ['an absolute name', { name: '/evil', content: 'x' }, /absolute path/],
  ])('in a wheel with %s is not unpacked', async (_name, entry, message) => {
    const wheel = makeWheel(parcel, script, [entry]);
    const index = await open([wheel]);

    await expect(find(wheel, at(index))).rejects.toThrow(message);
    expect(existsSync(join(home, inCache))).toBe(false);
  });

  it('that is a symbolic link in the wheel is not unpacked', async () => {
    const wheel = wheelWith(parcel, [
      { name: 'parcel_bin-1.2.3.data/scripts/parcel', content: '/bin/sh', mode: 0o120777 },
    ]);
    const index = await open([wheel]);

    await expect(find(wheel, at(index))).rejects.toThrow(/is not a file/);
  });

  it('that the wheel lacks is named', async () => {
    const wheel = wheelWith(parcel, [{ name: 'README', content: '' }]);
    const index = await open([wheel]);

    await expect(find(wheel, at(index))).rejects.toThrow(/has no parcel_bin-1\.2\.3\.data\/scripts\/parcel/);
  });

  it('that no index has is named with what to do', async () => {
    const wheel = makeWheel(parcel, script);
    const index = await open([]);

    await expect(find(wheel, at(index))).rejects.toThrow(
      `The program parcel cannot be obtained: ${index.url}/parcel-bin/ answered 404; name an index with this package in PIP_INDEX_URL; or put it on PATH, or name one in PARCEL.`,
    );
  });
});

async function open(files: readonly MadeWheel[], options?: { readonly json?: boolean }): Promise<PythonIndex> {
  const index = await startPythonIndex(certificates, files, options);
  opened = [...opened, index];
  return index;
}

function at({ url }: PythonIndex): Readonly<Record<string, string>> {
  return { PIP_INDEX_URL: url, PIP_CERT: join(home, 'authority.pem') };
}

function sumOf({ program }: MadeWheel): string {
  return program.sums[`${process.platform}-${process.arch}`] ?? '';
}

/** With an empty PATH, so that there is no Python, and a home without files of pip. */
function find({ program }: MadeWheel, environment: Readonly<Record<string, string>>): Promise<string> {
  mkdirSync(join(home, 'empty'), { recursive: true });
  return findWheelProgram(program, {
    environment: { HOME: home, PATH: join(home, 'empty'), PIP_CONFIG_FILE: '/dev/null', ...environment },
    home: join(home, '.gantry'),
    variable: 'PARCEL',
    anyVersion: true,
    signal: new AbortController().signal,
    onProgress: () => {},
  });
}
