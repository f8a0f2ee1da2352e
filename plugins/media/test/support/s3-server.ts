import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../../test/support/eventually';
import { findProgram } from '../../../../test/support/find-program';

/** An S3-compatible server that checks signatures: `rclone serve s3` over a folder. */
export interface S3Server {
  readonly keys: { readonly id: string; readonly secret: string };
  /** Set once it has started; the same after it was started again. */
  endpoint(): string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The keys of the objects in the bucket. */
  objects(): readonly string[];
  remove(): void;
}

/** With one empty bucket. Nothing runs before `start`. */
export function createS3Server(bucket: string): S3Server {
  const folder = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-`));
  const keys = { id: 'gantry-key', secret: 'gantry-secret' };
  let address = '127.0.0.1:0';
  let child: ChildProcess | undefined;
  mkdirSync(join(folder, 'buckets', bucket), { recursive: true });
  return {
    keys,
    endpoint: () => `http://${address}`,
    async start() {
      const program = await findProgram('rclone');
      const options = ['--addr', address, '--auth-key', `${keys.id},${keys.secret}`, '--dir-cache-time', '0'];
      const started = spawn(program, ['serve', 's3', ...options, join(folder, 'buckets')], {
        env: { PATH: process.env['PATH'], RCLONE_CONFIG: join(folder, 'none.conf') },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child = started;
      address = await addressOf(started);
    },
    async stop() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    objects: () =>
      readdirSync(join(folder, 'buckets', bucket), { recursive: true })
        .map(String)
        .toSorted(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const find = () => /server on \[http:\/\/([\d.:]+)\/?\]/.exec(output)?.[1];
  await eventually(() => find() !== undefined);
  return find() ?? '';
}
