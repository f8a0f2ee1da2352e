import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually';

export interface ScratchProject {
  readonly folder: string;
  write(path: string, content: string): void;
  /** How often the stand-in for the compiler has run. */
  builds(): number;
  start(args?: readonly string[]): Promise<Outcome>;
  /** Installs as `npm test` does, with the tools. */
  installTools(): Promise<Outcome>;
  /** Locks the one tool, a package in an archive, in a version. */
  lockTool(version: string): void;
  /** Starts, or installs the tools, with a program in place of npm, until `condition` holds; then the script alone is killed. */
  killWhile(npm: string, script: 'start' | 'tools', condition: () => boolean): Promise<void>;
  /** Starts and kills as soon as `condition` holds. */
  startAndKill(condition: () => boolean): Promise<void>;
  /** Runs `npm start` itself until `condition` holds, and then ends npm as a service manager would. */
  endNpmStartWhen(condition: () => boolean): Promise<void>;
  remove(): void;
}

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/**
 * A project with the real scripts of this repository, one build step, and two packages, which npm can install without a network: a
 * stand-in for the compiler, and a tool of tests. It writes dist/index.js of the project's one folder, notes that it ran, and fails on
 * request.
 */
export function createScratchProject(): ScratchProject {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-scripts-'));
  const write = (path: string, content: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  cpSync(join(__dirname, '../../scripts'), join(folder, 'scripts'), { recursive: true });
  write(
    'package.json',
    JSON.stringify({
      name: 'scratch',
      private: true,
      scripts: { start: 'node scripts/start.mjs' },
      ...dependencies,
    }),
  );
  const lockTool = (version: string): void => {
    write('package-lock.json', `${JSON.stringify(lockFile(version), undefined, 2)}\n`);
    packTool(folder, version);
  };
  lockTool('1.0.0');
  write('scripts/tools.mjs', tools);
  write('compiler/package.json', JSON.stringify({ name: 'typescript', version: '1.0.0' }));
  write('compiler/bin/tsc', compiler);
  write('scripts/lib/build-steps.mjs', buildSteps);
  write('part/src/index.ts', 'export const answer = 42;');
  write('cli/bin/gantry.js', 'console.log(`gantry ${process.argv.slice(2).join(" ")} in ${process.cwd()}`);');
  const log = join(folder, 'builds.log');
  return {
    folder,
    write,
    builds: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0),
    start: (args = []) => run(folder, ['start.mjs', ...args]).outcome,
    installTools: () => run(folder, ['tools.mjs']).outcome,
    lockTool,
    killWhile: async (npm, script, condition) => {
      const running = run(folder, [`${script}.mjs`], { npm_execpath: join(folder, npm) });
      await eventually(condition);
      running.kill();
      await running.outcome;
    },
    startAndKill: async (condition) => {
      const started = run(folder, ['start.mjs']);
      const timer = setInterval(() => {
        if (condition()) started.kill();
      }, 5);
      await started.outcome;
      clearInterval(timer);
    },
    endNpmStartWhen: async (condition) => {
      const npm = spawn('npm', ['start'], { cwd: folder, env: environment(folder), stdio: 'ignore' });
      const ended = new Promise((resolve) => npm.once('exit', resolve));
      const timer = setInterval(() => {
        if (condition()) npm.kill('SIGTERM');
      }, 50);
      await ended;
      clearInterval(timer);
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

const dependencies = {
  dependencies: { typescript: 'file:compiler' },
  devDependencies: { tool: 'file:tool.tgz' },
};

function lockFile(version: string): object {
  return {
    name: 'scratch',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'scratch', ...dependencies },
      compiler: { name: 'typescript', version: '1.0.0' },
      'node_modules/tool': { version, resolved: 'file:tool.tgz', dev: true },
      'node_modules/typescript': { resolved: 'compiler', link: true },
    },
  };
}

/** A package of two files, of which npm looks at the first only to see whether it is there. */
function packTool(folder: string, version: string): void {
  const content = join(folder, '.tool/package');
  mkdirSync(content, { recursive: true });
  writeFileSync(join(content, 'package.json'), JSON.stringify({ name: 'tool', version }));
  writeFileSync(join(content, 'index.js'), `module.exports = '${version}';`);
  execFileSync('tar', ['-czf', join(folder, 'tool.tgz'), '-C', join(folder, '.tool'), 'package']);
}

const tools = `
import { ensureInstalled } from './lib/ensure-installed.mjs';
try {
  await ensureInstalled({ withTools: true });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
`;

const buildSteps = `
import { runNode } from './run.mjs';
const run = () => runNode('node_modules/typescript/bin/tsc');
export const buildSteps = [{ name: 'compile', inputs: ['package-lock.json', 'part'], outputs: ['part/dist'], run }];
`;

const compiler = `
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync('builds.log', 'built\\n');
setTimeout(() => {
  if (existsSync('part/src/broken.ts')) process.exit(2);
  mkdirSync('part/dist', { recursive: true });
  writeFileSync('part/dist/index.js', '');
}, 300);
`;

/** No registry may be asked: what is installed lies in the project. */
function environment(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: folder, npm_config_offline: 'true' };
}

function run(
  folder: string,
  [script = '', ...args]: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): { readonly outcome: Promise<Outcome>; kill(): void } {
  const child = spawn(process.execPath, [join(folder, 'scripts', script), ...args], {
    cwd: tmpdir(),
    env: { ...environment(folder), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  const outcome = new Promise<Outcome>((resolve) => {
    child.once('exit', (code) => {
      // The compiler of a killed start may continue; its output no longer matters.
      setImmediate(() => resolve({ code, output, errors }));
    });
  });
  return { outcome, kill: () => child.kill('SIGKILL') };
}
