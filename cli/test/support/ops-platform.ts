import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { execute } from '../../../test/support/database';
import { startTestHost } from '../../../test/support/platform';
import { startLocalTemporal } from '../../../test/support/local-temporal';
import { openCommands, type Run } from './commands';
import { runGantry } from './gantry';

const project = join(__dirname, '..', '..', '..');

/** A host with the order services, whose waits are short, on a Temporal with lists and resets. */
export interface OpsPlatform {
  /** Runs `gantry ops …` against it. */
  ops(...words: readonly string[]): Promise<Run>;
  /** Runs it in a separate process. */
  opsProcess(...words: readonly string[]): Promise<Run>;
  /** Runs it on a terminal, where somebody types; gives all that was shown. */
  opsOnTerminal(words: readonly string[], typed: string): Promise<string>;
  /** Starts a workflow of others, which no worker takes. */
  startForeign(workflowId: string): Promise<void>;
  /** Sends a request, such as `POST /place-order`, and gives `data`. @throws when it is refused */
  send(method: string, path: string, body?: object): Promise<unknown>;
  /** Runs a statement on the database of the platform. */
  sql(statement: string): Promise<void>;
  close(): Promise<void>;
}

/** Retries that are soon exhausted, and a consignment that sleeps for a moment. */
const shortened = {
  timeLimits: { deliverySleep: 1 },
  activityRetries: {
    refundPayment: { initialInterval: 1, backoffCoefficient: 1, maximumInterval: 1, maximumAttempts: 2 },
  },
};

export async function openOpsPlatform(): Promise<OpsPlatform> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-cli-ops-'));
  const [, temporal] = await Promise.all([
    promisify(execFile)(process.execPath, [
      join(project, 'test/support/shortened-services.mjs'),
      folder,
      JSON.stringify(shortened),
    ]),
    startLocalTemporal(),
  ]);
  const plugins = readdirSync(join(folder, 'plugins')).map((name) => relative(project, join(folder, 'plugins', name)));
  const host = await startTestHost({ plugins, environment: { TEMPORAL_ADDRESS: temporal.address } });
  const environment = {
    GANTRY_HOME: join(folder, 'home'),
    GANTRY_PORT: String(host.port),
    DATABASE_URL: host.databaseUrl,
  };
  const commands = openCommands();
  return {
    ops: (...words) => commands.run(['ops', ...words], { environment }),
    opsProcess: (...words) => runGantry(['ops', ...words], { environment }),
    opsOnTerminal: (words, typed) => runOnTerminal(['ops', ...words], typed, environment),
    async startForeign(workflowId) {
      await temporal.client.workflow.start('foreignWorkflow', { workflowId, taskQueue: 'foreign-tq' });
    },
    async send(method, path, body) {
      const headers = { 'content-type': 'application/json' };
      const payload = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${host.address}${path}`, { method, headers, ...payload });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { readonly data: unknown }).data;
    },
    sql: (statement) => execute(host.databaseUrl, statement),
    async close() {
      await commands.close();
      await host.stop();
      await temporal.teardown();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Node.js makes no pseudo-terminals; `script`, which Debian's essential packages and macOS have, does. */
function onPseudoTerminal(command: readonly string[]): readonly string[] {
  if (process.platform === 'darwin') return ['-q', '/dev/null', ...command];
  const quoted = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  return ['--quiet', '--return', '--command', quoted, '/dev/null'];
}

function runOnTerminal(
  words: readonly string[],
  typed: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const command = [process.execPath, join(project, 'cli/bin/gantry.js'), ...words];
  const env: NodeJS.ProcessEnv = { ...process.env, TERM: 'xterm', ...environment };
  delete env['NO_COLOR'];
  const child = spawn('script', onPseudoTerminal(command), { cwd: project, env });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  // Kept open: its end would be an answer.
  child.stdin.write(typed);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(shown.replaceAll('\r\n', '\n')));
  });
}
