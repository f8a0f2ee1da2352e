import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const scripts = join(__dirname, '../../scripts');
const run = promisify(execFile);
const linux = { os: 'linux', cpu: 'x64', libc: 'glibc' };

interface Found {
  readonly program?: string;
  readonly refusal?: string;
  readonly errors: string;
}

/** Result of `findChromium` in another process, as the scripts call it. */
async function find(environment: Readonly<Record<string, string>>, machine: object): Promise<Found> {
  const source = `
    import { findChromium } from ${JSON.stringify(join(scripts, 'lib/find-chromium.mjs'))};
    const answer = (key) => (value) => console.log(JSON.stringify({ [key]: value.message ?? value }));
    await findChromium(${JSON.stringify(environment)}, ${JSON.stringify(machine)}).then(answer('program'), answer('refusal'));`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', source]);
  return { ...(JSON.parse(stdout) as object), errors: stderr };
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-find-chromium-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeProgram(name: string): string {
  const file = join(folder, 'programs', name);
  mkdirSync(join(folder, 'programs'), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  return file;
}

describe('the Chromium of the tests', () => {
  const path = (): string => join(folder, 'programs');

  it('is the one that GANTRY_TEST_CHROMIUM names', async () => {
    const chosen = writeProgram('chosen');

    expect(await find({ GANTRY_TEST_CHROMIUM: chosen, PATH: path() }, linux)).toMatchObject({ program: chosen });
  });

  it('is refused when GANTRY_TEST_CHROMIUM names no program', async () => {
    const { refusal } = await find({ GANTRY_TEST_CHROMIUM: join(folder, 'none') }, linux);

    expect(refusal).toBe(`GANTRY_TEST_CHROMIUM names no program that can be run: ${join(folder, 'none')}`);
  });

  it.each([
    ['Linux on arm64', { ...linux, cpu: 'arm64' }],
    ['Linux without glibc', { ...linux, libc: 'musl' }],
    ['macOS', { os: 'darwin', cpu: 'arm64' }],
  ])('is an installed one on %s, without windows if there is one', async (_name, machine) => {
    writeProgram('google-chrome');
    const program = writeProgram('chromium-headless-shell');

    expect(await find({ PATH: path() }, machine)).toMatchObject({ program });
  });

  it.each([
    [{ ...linux, cpu: 'arm64' }, 'this is linux arm64. Install the package of your system'],
    [{ ...linux, libc: 'musl' }, 'this is linux x64 without glibc. Install the package of your system'],
    [{ os: 'win32', cpu: 'x64' }, 'this is win32 x64. Install Google Chrome'],
  ])('is refused where there is none: %j', async (machine, message) => {
    expect((await find({ PATH: '' }, machine)).refusal).toContain(message);
  });

  it('is refused by npm test before anything is installed', async () => {
    const project = join(folder, 'project');
    cpSync(scripts, join(project, 'scripts'), { recursive: true });
    for (const name of ['tsconfig.json', 'package.json', 'package-lock.json']) {
      cpSync(join(scripts, '..', name), join(project, name));
    }
    const refused = run(process.execPath, ['scripts/test.mjs'], {
      cwd: project,
      env: { GANTRY_TEST_CHROMIUM: join(folder, 'none') },
    });

    await expect(refused).rejects.toMatchObject({
      stdout: '',
      stderr: `npm test: GANTRY_TEST_CHROMIUM names no program that can be run: ${join(folder, 'none')}\n`,
    });
  });
});

const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } };
const isBrought = process.platform === 'linux' && process.arch === 'x64' && header.glibcVersionRuntime !== undefined;
const describeBrought = (define: () => void): void => {
  if (isBrought) describe('the Chromium that npm brings', define);
};

describeBrought(() => {
  const cache = (): string => join(folder, 'a cache <für & von>');
  // Another one is installed: all machines of this kind test with the same.
  const findNpms = (): Promise<Found> => find({ GANTRY_CACHE: cache(), PATH: join(folder, 'programs') }, linux);
  const programs = (): string => {
    const [name = 'none'] = readdirSync(cache());
    return join(cache(), name);
  };

  it('is unpacked once by two runs at the same time, for this user alone, after a run that was killed', async () => {
    const version = (JSON.parse(readFileSync(packageFile(), 'utf8')) as { readonly version: string }).version;
    mkdirSync(join(cache(), `chromium-${version}.building/lib`), { recursive: true });
    const found = await Promise.all([findNpms(), findNpms()]);
    const unpacked = join(cache(), `chromium-${version}`);

    expect(found.map(({ program }) => program)).toEqual(Array(2).fill(join(unpacked, 'chromium-headless-shell')));
    expect(found.filter(({ errors }) => errors.includes(`Unpacking chromium-${version} ...`))).toHaveLength(1);
    expect(lstatSync(unpacked).mode & 0o777).toBe(0o700);
    expect(readdirSync(cache())).toEqual([`chromium-${version}`]);
    expect(await findNpms()).toEqual({ program: found[0]?.program, errors: '' });
  });

  it('is unpacked again when a file of it has other bytes', async () => {
    const library = join(programs(), 'lib/libnss3.so');
    writeFileSync(library, Buffer.alloc(lstatSync(library).size));
    const { program = '' } = await findNpms();
    const { stdout } = await run(program, ['--version']);

    expect(stdout).toMatch(/^(Chromium|HeadlessChromium|Google Chrome for Testing) \d+/);
  });

  it('is unpacked again in the place of a link to another folder, which stays as it is', async () => {
    const [unpacked, other] = [programs(), join(folder, 'other')];
    rmSync(unpacked, { recursive: true });
    mkdirSync(other, { mode: 0o700 });
    writeFileSync(join(other, 'chromium'), '');
    symlinkSync(other, unpacked);
    await findNpms();

    expect(lstatSync(unpacked).isDirectory()).toBe(true);
    expect(readFileSync(join(other, 'chromium'), 'utf8')).toBe('');
    expect(readdirSync(cache())).toHaveLength(1);
  });
});

function packageFile(): string {
  return join(require.resolve('@sparticuz/chromium'), '../../../package.json');
}
