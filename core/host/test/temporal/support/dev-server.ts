import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../../../test/support/eventually';
import { freePort } from '../../../../../test/support/free-port';
import { findTemporalCli } from '../../../../../test/support/temporal-binaries';

/** A development server of Temporal whose process a test may kill and start again on the same port and file. */
export interface DevServer {
  readonly address: string;
  /** Starts it unless it runs. */
  start(): Promise<void>;
  /** Kills it unless it does not run. */
  kill(): Promise<void>;
  createNamespace(name: string): Promise<void>;
  /** Ends it and removes its file. */
  remove(): Promise<void>;
}

/** One for all suites of a file, which does not run yet. */
export function useDevServer(): () => DevServer {
  let server: DevServer | undefined;
  beforeAll(async () => {
    server = await createDevServer();
  });
  afterAll(() => server?.remove());
  return () => {
    if (server === undefined) throw new Error('The server is only known while tests run.');
    return server;
  };
}

/** @returns a server that does not run yet. */
async function createDevServer(): Promise<DevServer> {
  const program = await findTemporalCli();
  const folder = mkdtempSync(join(tmpdir(), 'gantry-dev-server-'));
  const [port, http] = [await freePort(), await freePort()];
  let child: ChildProcess | undefined;
  const running = (): ChildProcess | undefined =>
    child?.exitCode === null && child.signalCode === null ? child : undefined;
  const kill = async (): Promise<void> => {
    const child = running();
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    address: `127.0.0.1:${port}`,
    async start() {
      if (running() !== undefined) return;
      const ports = ['--port', `${port}`, '--http-port', `${http}`];
      const file = ['--db-filename', join(folder, 'server.db')];
      const quiet = ['--headless', '--log-level', 'never'];
      child = spawn(program, ['server', 'start-dev', '--ip', '127.0.0.1', ...ports, ...file, ...quiet], {
        stdio: 'ignore',
      });
      await untilItAnswers(http);
    },
    kill,
    async createNamespace(name) {
      const address = ['--address', `127.0.0.1:${port}`];
      const command = spawn(program, ['operator', 'namespace', 'create', '--namespace', name, ...address], {
        stdio: 'ignore',
      });
      const [code] = (await once(command, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`The namespace ${name} could not be created.`);
    },
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function untilItAnswers(http: number): Promise<void> {
  const isUp = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${http}/api/v1/namespaces/default`)).ok;
  await eventually(isUp, 'the development server answers');
}
