import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { eventually } from '../../../test/support/eventually';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { openCommands, type Commands, type Run, type RunOptions } from './commands';

export type { Run, RunOptions } from './commands';

const project = join(__dirname, '..', '..', '..');

export interface ProcessOptions extends RunOptions {
  /** Descriptor of a file that is standard output, which is then not collected. */
  readonly stdout?: number;
  /** The reader of standard output ends at once, as `head` does. */
  readonly unread?: boolean;
  /** Leaves standard input open, and presses Ctrl-C when this resolves. */
  readonly interruptAfter?: () => Promise<void>;
  /** Signal that it gets then; SIGINT, as by Ctrl-C, unless given. */
  readonly interruptBy?: NodeJS.Signals;
}

/** A home with plugins of its own, on an empty database. */
export interface Bench {
  readonly home: string;
  readonly database: TestDatabase;
  /** Runs the built command in a process that is there for all runs (commands.ts). */
  gantry(words: readonly string[], options?: RunOptions): Promise<Run>;
  /** Runs it as a person would, in a separate process. */
  process(words: readonly string[], options?: ProcessOptions): Promise<Run>;
  /** Runs it with --json and gives `data`. @throws when it fails */
  json(words: readonly string[], options?: RunOptions): Promise<unknown>;
  /** Resolves when a transaction is open on the database and waits. */
  untilTransactionWaits(): Promise<void>;
  /** Resolves when someone is connected with the database, before much has been asked of it. */
  untilConnected(): Promise<void>;
  /** Resolves when someone waits for a lock of the database. */
  untilLockAwaited(): Promise<void>;
  /** Until a process has asked for the lock of the schema, which another has. */
  untilSchemaLockAsked(): Promise<void>;
  /** A plugin path with these plugins only. */
  folderOf(...plugins: readonly string[]): string;
  /** A file of the bench; gives its path. */
  file(name: string, content: string): string;
  close(): Promise<void>;
}

/**
 * @param plugins Folders of plugin packages, relative to the project
 * @param shared What runs the commands of several benches; one of this bench alone unless given
 */
export async function openBench(plugins: readonly string[], shared?: Commands): Promise<Bench> {
  const home = mkdtempSync(join(tmpdir(), 'gantry-cli-'));
  linkPlugins(join(home, 'plugins'), plugins);
  const database = await createTestDatabase();
  const environment = {
    DATABASE_URL: database.url,
    GANTRY_HOME: join(home, 'home'),
    GANTRY_PLUGIN_PATH: join(home, 'plugins'),
    GANTRY_PORT: '0',
  };
  const commands = shared ?? openCommands();
  const complete = <T extends RunOptions>(options?: T) => ({
    ...options,
    environment: { ...environment, ...options?.environment },
  });
  const gantry: Bench['gantry'] = (words, options) => commands.run(words, complete(options));
  return {
    home: join(home, 'home'),
    database,
    gantry,
    process: (words, options) => runGantry(words, complete(options)),
    async json(words, options) {
      const { code, stdout, stderr } = await gantry([...words, '--json'], options);
      if (code !== 0) throw new Error(`gantry ${words.join(' ')} ended with ${code}: ${stderr}`);
      return (JSON.parse(stdout) as { readonly data: unknown }).data;
    },
    untilTransactionWaits: () => untilFound(database.url, "state = 'idle in transaction'"),
    untilConnected: () => untilFound(database.url, "backend_type = 'client backend' AND pid <> pg_backend_pid()"),
    untilLockAwaited: () => untilFound(database.url, "wait_event_type = 'Lock'"),
    untilSchemaLockAsked: () =>
      untilFound(database.url, "query LIKE '%pg_try_advisory_lock%' AND pid <> pg_backend_pid()"),
    folderOf(...only) {
      const path = join(home, ['only', ...only.map((plugin) => basename(plugin))].join('-'));
      linkPlugins(path, only);
      return path;
    },
    file(name, content) {
      const path = join(home, name);
      writeFileSync(path, content);
      return path;
    },
    async close() {
      if (shared === undefined) await commands.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      await database.drop();
    },
  };
}

function linkPlugins(path: string, plugins: readonly string[]): void {
  mkdirSync(path);
  for (const folder of plugins) symlinkSync(join(project, folder), join(path, basename(folder)), 'junction');
}

/** Waits for a session on the database that fits the condition on pg_stat_activity. */
async function untilFound(url: string, condition: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const question = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND ${condition}`;
    const isThere = async (): Promise<boolean> => (await client.query(question)).rowCount !== 0;
    await eventually(isThere, `a session with ${condition}`);
  } finally {
    await client.end();
  }
}

export function runGantry(words: readonly string[], options: ProcessOptions = {}): Promise<Run> {
  const child = spawn(process.execPath, [join(project, 'cli/bin/gantry.js'), ...words], {
    cwd: project,
    env: { ...process.env, ...options.environment },
    stdio: ['pipe', options.stdout ?? 'pipe', 'pipe'],
  });
  if (options.unread === true) child.stdout?.destroy();
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // A command that does not read its input may have ended before it is written.
  child.stdin?.on('error', () => undefined);
  child.stdin?.write(options.input ?? '');
  if (options.interruptAfter === undefined) child.stdin?.end();
  else void options.interruptAfter().finally(() => child.kill(options.interruptBy ?? 'SIGINT'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
