import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../support/is-running';
import { createScratchProject } from './scratch-project';
import type { ScratchProject } from './scratch-project';

let project: ScratchProject;

beforeEach(() => {
  project = createScratchProject();
});

afterEach(() => project.remove());

const read = (path: string): string => readFileSync(join(project.folder, path), 'utf8');
const has = (path: string): boolean => existsSync(join(project.folder, path));
const tool = 'node_modules/tool/index.js';

describe('an installation', () => {
  it('brings tools to tests alone, and a start removes none of them', async () => {
    const started = await project.start();
    const before = has(tool);
    const lock = read('package-lock.json');
    const added = await project.installTools();
    const startedAgain = await project.start();

    expect(started).toMatchObject({ code: 0, output: expect.stringContaining('Installing 1 packages') });
    expect(before).toBe(false);
    expect(added).toMatchObject({ code: 0, output: expect.stringContaining('Installing 1 packages') });
    expect(startedAgain).toMatchObject({ code: 0, output: expect.not.stringContaining('Installing') });
    expect(has(tool)).toBe(true);
    expect(read('package-lock.json')).toBe(lock);
  });

  it('takes the versions of another lock file, and keeps tools that are there', async () => {
    await project.installTools();
    project.lockTool('1.1.0');
    const { code } = await project.start();

    expect(code).toBe(0);
    expect(read(tool)).toContain('1.1.0');
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      packages: { 'node_modules/tool': { version: '1.1.0' } },
    });
  });

  it('notices what npm has removed since, called by hand', async () => {
    await project.installTools();
    rmSync(join(project.folder, 'node_modules/tool'), { recursive: true });
    project.write('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));
    await project.installTools();

    expect(has(tool)).toBe(true);
  });

  it('looks at the packages themselves: after --package-lock-only, the record of npm names what is not there', async () => {
    await project.installTools();
    const record = read('node_modules/.package-lock.json');
    project.lockTool('1.1.0');
    project.write('node_modules/.package-lock.json', record.replace('1.0.0', '1.1.0'));
    const { code } = await project.installTools();

    expect(code).toBe(0);
    expect(read(tool)).toContain('1.1.0');
  });

  it.each([
    ['from nothing', async () => {}],
    ['beside what is there', () => project.start()],
    ['of another version', () => project.installTools()],
  ])('that was killed halfway, %s, is repaired by the next', async (_name, prepare) => {
    await prepare();
    project.lockTool('1.2.0');
    project.write('half-npm.js', halfInstallation);
    await project.killWhile('half-npm.js', 'tools', () => has('halfway'));
    const pid = Number(read('halfway'));
    const next = project.installTools();
    const { code, output } = await next;

    expect(output).toContain(`Waiting for npm (process ${pid}), which is installing here ...`);
    expect(isRunning(pid)).toBe(false);
    expect(code).toBe(0);
    expect(read(tool)).toContain('1.2.0');
  });

  it('that was killed halfway is finished by npm alone, if it is not killed', async () => {
    await project.start();
    project.write('slow-npm.js', slowInstallation);
    await project.killWhile('slow-npm.js', 'tools', () => has('halfway'));
    const { code, output } = await project.installTools();

    expect(code).toBe(0);
    expect(output).toContain('Waiting for npm');
    expect(output).not.toContain('Installing');
    expect(has(tool)).toBe(true);
  });

  it('that was killed halfway does not vouch for what an earlier lock file names', async () => {
    const earlier = read('package-lock.json');
    await project.installTools();
    project.lockTool('1.1.0');
    project.write('half-npm.js', halfInstallation);
    await project.killWhile('half-npm.js', 'start', () => has('halfway'));
    project.lockTool('1.0.0');
    expect(read('package-lock.json')).toBe(earlier);
    await project.start();

    expect(read(tool)).toContain('1.0.0');
  });

  it('is refused when package.json and the lock file disagree', async () => {
    const json = JSON.parse(read('package.json')) as { readonly dependencies: object };
    project.write('other/package.json', JSON.stringify({ name: 'tool', version: '2.0.0' }));
    project.write('package.json', JSON.stringify({ ...json, devDependencies: { tool: 'file:other' } }));
    const { code, errors } = await project.installTools();

    expect(code).toBe(1);
    expect(errors).toMatch(/npm did not install what package-lock\.json names: node_modules\/tool\./);
  });
});

/** An npm that leaves half a package, and a while later ends without having written its record. */
const halfInstallation = `
const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
rmSync('node_modules/tool', { recursive: true, force: true });
mkdirSync('node_modules/tool', { recursive: true });
writeFileSync('node_modules/tool/package.json', JSON.stringify({ name: 'tool', version: '1.2.0' }));
writeFileSync('halfway', String(process.pid));
setTimeout(() => process.exit(1), 2_000);
`;

/** An npm that takes a while. */
const slowInstallation = `
const { spawnSync } = require('node:child_process');
const { writeFileSync } = require('node:fs');
writeFileSync('halfway', String(process.pid));
setTimeout(() => spawnSync('npm', process.argv.slice(2), { stdio: 'inherit' }), 1_000);
`;
