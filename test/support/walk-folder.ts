import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const project = join(__dirname, '..', '..');

/** The parts of a clone that walks of the documentation touch. */
const parts = ['node_modules', 'package.json', 'plugins', 'services', 'cli', 'core', 'contracts'];

/** Looks like a clone to the commands of a page; what they write stays in it. */
export interface WalkFolder {
  readonly path: string;
  /** Runs commands as they are written on a page, in a shell that ends with the first that fails. */
  run(commands: string, environment: Readonly<Record<string, string>>): Promise<WalkRun>;
  remove(): void;
}

export interface WalkRun {
  /** All that was printed: a page does not distinguish the streams. */
  readonly printed: string;
  readonly code: number | null;
}

export function createWalkFolder(): WalkFolder {
  const path = mkdtempSync(join(tmpdir(), 'gantry-walk-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to reach its folder.
  chmodSync(path, 0o755);
  for (const part of parts) symlinkSync(join(project, part), join(path, part), 'junction');
  const quick = { PATH: [makeQuickPrograms(path), process.env['PATH']].join(delimiter) };
  return {
    path,
    run: (commands, environment) => run(commands, path, { ...walkEnvironment(), ...quick, ...environment }),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/**
 * `npx` takes several times the processor time of the command that it starts. Unless the environment of a walk names another PATH, a
 * script starts the same file in its place. Another one, for `npm`, takes what is installed with --prefix from the tools of tests, and
 * needs no network.
 */
function makeQuickPrograms(folder: string): string {
  const programs = join(folder, '.programs');
  mkdirSync(programs);
  const npx = `program=$1\nshift\nexec "${folder}/node_modules/.bin/$program" "$@"\n`;
  const npm = `[ "$1 $2 $4" = "install --prefix --no-save" ] || PATH="\${PATH#*:}" exec npm "$@"
tool="${folder}/node_modules/\${5%@*}"
grep -q "\\"version\\": \\"\${5#*@}\\"" "$tool/package.json" || exit 1
mkdir -p "$3/node_modules" && ln -s "$tool" "$3/node_modules/"
`;
  for (const [name, script] of Object.entries({ npm, npx })) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}`, { mode: 0o755 });
  }
  return programs;
}

/** The environment of a walk: its own PostgreSQL, no Temporal, and nothing of what npm has to say about itself. */
export function walkEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, TEMPORAL_ADDRESS: '127.0.0.1:1', npm_config_loglevel: 'error' };
}

async function run(commands: string, cwd: string, env: NodeJS.ProcessEnv): Promise<WalkRun> {
  const shell = spawn('bash', ['-e', '-c', commands], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const keep = (chunk: Buffer): void => {
    printed += chunk.toString();
  };
  shell.stdout.on('data', keep);
  shell.stderr.on('data', keep);
  const [code] = (await once(shell, 'close')) as [number | null];
  return { printed, code };
}
