import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Outer {
  readonly pid: number;
  /** All it has printed so far. */
  output(): string;
  errors(): string;
  /** Resolves with what it printed as soon as that matches. */
  printed(pattern: RegExp): Promise<string>;
  /** Resolves with the address of the banner. */
  readonly ready: Promise<string>;
  kill(signal: NodeJS.Signals): void;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface OuterOptions {
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Program and arguments to put in front, for example `runuser -u nobody --`. */
  readonly prefix?: readonly string[];
  readonly cwd?: string;
}

const running = new Set<Outer>();

/** Starts `gantry up` on the fixture host, as a separate process. */
export function startOuter({ home, env = {}, prefix = [], cwd }: OuterOptions): Outer {
  // env(1) becomes the program that it runs, with or without one in front.
  const child = spawn('env', [...prefix, process.execPath, join(__dirname, '../fixtures/outer.cjs')], {
    env: {
      PATH: process.env['PATH'],
      GANTRY_PORT: '0',
      // Without plugins that use it, no Temporal is started.
      GANTRY_PLUGIN_PATH: 'none',
      FIXTURE_PLUGINS: '{"alpha":"ok"}',
      ...env,
      GANTRY_HOME: home,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  let output = '';
  let errors = '';
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
    changed();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal });
    });
  });
  const printed = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!pattern.test(output)) return;
        listeners.delete(look);
        resolve(output);
      };
      listeners.add(look);
      void exit.then(() => reject(new Error(`ended before it printed ${String(pattern)}:\n${output}\n${errors}`)));
      look();
    });
  const ready = printed(/Address +\S+[\s\S]*Stop/).then((text) => /Address +(\S+)/.exec(text)?.[1] ?? '');
  // Tests of starts that fail never ask.
  ready.catch(() => {});
  const outer: Outer = {
    pid: child.pid ?? 0,
    output: () => output,
    errors: () => errors,
    printed,
    ready,
    kill: (signal) => child.kill(signal),
    exit,
  };
  running.add(outer);
  void exit.then(() => running.delete(outer));
  return outer;
}

/** Ends what a failed test left. */
export async function endOuters(): Promise<void> {
  const left = [...running];
  for (const outer of left) outer.kill('SIGKILL');
  await Promise.all(left.map(({ exit }) => exit));
}

/** Report of the fixture host about itself. */
export async function askHost(address: string): Promise<{
  readonly pid: number;
  /** Ids of its plugins. */
  readonly plugins: readonly string[];
  readonly quarantines: readonly { readonly plugin: string; readonly code: string; readonly reason: string }[];
  /** Whether it follows one that served and has ended. */
  readonly isRestart?: boolean;
  readonly GANTRY_HOME: string;
  readonly GANTRY_PROJECT: string;
  readonly GANTRY_PORT: string;
  readonly DATABASE_URL: string;
}> {
  const response = await fetch(`${address}/`);
  return (await response.json()) as never;
}
