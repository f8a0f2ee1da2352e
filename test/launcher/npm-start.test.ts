import { existsSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { referenceOf } from '@gantry/core-common';
import { eventually } from '../support/eventually';
import { createScratchProject } from './scratch-project';
import type { Outcome, ScratchProject } from './scratch-project';

let project: ScratchProject;

describe('npm start, again and again in a project', () => {
  let first: Outcome;
  beforeAll(async () => {
    project = createScratchProject();
    first = await project.start(['--port', '0']);
  });
  afterAll(() => project.remove());

  const runFile = (): string => join(project.folder, '.gantry/run.json');
  let answer = 42;
  const changeSource = (): void => project.write('part/src/index.ts', `export const answer = ${(answer += 1)};`);

  it('installs, builds and runs gantry up in the project, with its arguments', () => {
    const { code, output } = first;

    expect(code).toBe(0);
    expect(output).toMatch(/^Installing 1 packages? \(npm install\)/m);
    expect(output).toMatch(/^Building \(compile\)/m);
    expect(output).toContain(`gantry up --port 0 in ${project.folder}\n`);
  });

  it('does nothing but run when nothing has changed, or a test', async () => {
    const { output } = await project.start();
    project.write('part/test/answer.test.ts', '');
    const afterTest = await project.start();

    expect([output, afterTest.output]).toEqual(Array(2).fill(`gantry up in ${project.folder}\n`));
    expect(project.builds()).toBe(1);
  });

  it('builds again, and only that, when a source has changed', async () => {
    changeSource();
    const { output } = await project.start();

    expect(output).not.toContain('Installing');
    expect(project.builds()).toBe(2);
  });

  it('builds again when what was built is gone', async () => {
    rmSync(join(project.folder, 'part/dist'), { recursive: true });
    await project.start();

    expect(existsSync(join(project.folder, 'part/dist/index.js'))).toBe(true);
  });

  it('says in one sentence that the build failed, and tries again at the next start', async () => {
    const builds = project.builds();
    changeSource();
    project.write('part/src/broken.ts', '');
    const failed = await project.start();
    rmSync(join(project.folder, 'part/src/broken.ts'));
    const fixed = await project.start();

    expect(failed.code).toBe(1);
    expect(failed.errors).toBe('npm start: The build failed (compile, exit code 2); the messages above say where.\n');
    expect(fixed.code).toBe(0);
    expect(project.builds()).toBe(builds + 2);
  });

  it.each([
    ['long ago', -1],
    ['before the clock was put back', 1],
  ])('is not held up by a lock that was written only halfway, %s', async (_, sign) => {
    const builds = project.builds();
    changeSource();
    project.write('.gantry/install.lock', '{');
    const written = Date.now() / 1_000 + sign * 1_000;
    utimesSync(join(project.folder, '.gantry/install.lock'), written, written);

    expect((await project.start()).code).toBe(0);
    expect(project.builds()).toBe(builds + 1);
  });

  it('installs and builds nothing under the feet of a platform that runs, but joins it with --only', async () => {
    const builds = project.builds();
    changeSource();
    const launcher = referenceOf(process.pid);
    project.write('.gantry/run.json', JSON.stringify({ launcher, address: 'http://127.0.0.1:3000' }));
    const refused = await project.start();
    expect(project.builds()).toBe(builds);
    const joined = await project.start(['--only', 'order']);
    rmSync(runFile());

    expect(refused.code).toBe(1);
    expect(refused.output).toBe('');
    expect(refused.errors).toMatch(
      new RegExp(
        `^npm start: .* ${project.folder}/\\.gantry \\(process ${process.pid}, http://127\\.0\\.0\\.1:3000\\)\\.\n {2}.* kill ${process.pid}; .*GANTRY_HOME .*GANTRY_PORT\\.\n$`,
      ),
    );
    expect(joined.code).toBe(0);
  });

  it('begins as usual when the platform that ran was killed, and installs again when node_modules is gone', async () => {
    const launcher = { ...referenceOf(process.pid), startedAt: 'another time' };
    project.write('.gantry/run.json', JSON.stringify({ launcher }));
    rmSync(join(project.folder, 'node_modules'), { recursive: true });
    const { code, output } = await project.start();

    expect(code).toBe(0);
    expect(output).toContain('Installing');
  });

  it('stops what it runs when npm is ended, which passes the signal to a shell alone', async () => {
    project.write('cli/bin/gantry.js', untilStopped);
    const note = (name: string): string => join(project.folder, name);
    await project.endNpmStartWhen(() => existsSync(note('running')));

    await eventually(() => existsSync(note('stopped')));
    expect(existsSync(note('stopped'))).toBe(true);
  });
});

describe('npm start', () => {
  beforeEach(() => {
    project = createScratchProject();
  });

  afterEach(() => project.remove());

  it('installs and builds once when it is called twice at the same time', async () => {
    const outcomes = await Promise.all([project.start(), project.start()]);

    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    const output = outcomes.map((outcome) => outcome.output).join('');
    expect(output.match(/^Installing \d+ packages/gm)).toHaveLength(1);
    expect(output).toContain('Waiting for process');
    expect(project.builds()).toBe(1);
  });

  it('is not held up by the lock of one that was killed', async () => {
    await project.startAndKill(() => project.builds() === 1);
    const { code } = await project.start();

    expect(code).toBe(0);
    expect(project.builds()).toBe(2);
  });

  it('says in one sentence that nothing can be written there', async () => {
    project.write('.gantry', 'no folder');
    const { code, errors } = await project.start();

    expect(code).toBe(1);
    expect(errors).toMatch(
      new RegExp(`^npm start: ${project.folder}/\\.gantry cannot be written \\(EEXIST\\)\\. .+\n$`),
    );
  });

  it('says in one sentence that the installation failed', async () => {
    const asked = { dependencies: { absent: '1.0.0' } };
    const packages = { '': asked, 'node_modules/absent': { version: '1.0.0' } };
    project.write('package.json', JSON.stringify({ name: 'scratch', ...asked }));
    project.write('package-lock.json', JSON.stringify({ name: 'scratch', lockfileVersion: 3, packages }));
    const { code, errors } = await project.start();

    expect(code).toBe(1);
    expect(errors).toMatch(/npm start: npm install failed \(exit code 1\)\. Packages come from the npm registry/);
    expect(errors).not.toMatch(/^ +at /m);
  });
});

const untilStopped = `
const { writeFileSync } = require('node:fs');
setInterval(() => {}, 1000);
process.on('SIGTERM', () => {
  writeFileSync('stopped', '');
  process.exit();
});
writeFileSync('running', '');
`;
