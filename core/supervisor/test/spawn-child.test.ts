import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, referenceOf } from '@gantry/core-common';
import { eventually } from '../../../test/support/eventually';
import { spawnChild, type Child, type ChildOptions } from '../src/child/spawn-child';

const started: Child[] = [];
const lines: string[] = [];

afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await Promise.all(started.splice(0).map(({ ended }) => ended));
  lines.length = 0;
});

type Message = { readonly kind: string };

function run(script: string, more: Partial<ChildOptions<Message>> = {}): Child {
  const child = spawnChild<Message>({
    program: process.execPath,
    args: ['-e', script],
    env: { PATH: process.env['PATH'] },
    output: { onLine: (line, stream) => lines.push(`${stream}: ${line}`) },
    ...more,
  });
  started.push(child);
  return child;
}

function printed(text: string): Promise<void> {
  return eventually(() => lines.includes(`stdout: ${text}`), `it prints ${text}`);
}

const sleeping = "console.log('up'); setInterval(() => {}, 1000)";

describe('a child', () => {
  it('reports its lines, how it ended, and the error that it printed last', async () => {
    const child = run("console.log('out'); console.error('err'); throw new RangeError('too far')");

    expect(await child.ended).toEqual({
      exitCode: 1,
      signal: null,
      timedOut: false,
      lastError: 'RangeError: too far',
    });
    expect(child.isGone()).toBe(true);
    expect(lines).toEqual(expect.arrayContaining(['stdout: out', 'stderr: err']));
  });

  it('that cannot be started has ended with the reason', async () => {
    const child = run('', { program: '/no/such/program' });

    expect(await child.ended).toMatchObject({ exitCode: null, lastError: expect.stringContaining('ENOENT') as string });
    expect(child.reference).toBeUndefined();
  });

  it('gets its start message when that is known, and others are parsed', async () => {
    const received: Message[] = [];
    run("process.on('message', (message) => { process.send({ kind: 'strange' }); process.send(message); })", {
      channel: {
        parse: (message) => ((message as Message).kind === 'strange' ? undefined : (message as Message)),
        onMessage: (message) => received.push(message),
        startMessage: Promise.resolve({ kind: 'start' }),
      },
    });

    await eventually(() => received.length > 0, 'it answers');
    expect(received).toEqual([{ kind: 'start' }]);
  });

  it('is ended when its time is up, and not when the limit was removed', async () => {
    const limited = run(sleeping);
    const released = run(sleeping);
    limited.limit(1);
    released.limit(1);
    released.limit(undefined);

    expect(await limited.ended).toMatchObject({ signal: 'SIGKILL', timedOut: true });
    expect(released.isGone()).toBe(false);
  });

  it('is ended when the signal aborts', async () => {
    const stopping = new AbortController();
    const child = run(sleeping, { signal: stopping.signal });
    stopping.abort();

    expect(await child.ended).toMatchObject({ signal: 'SIGKILL', timedOut: false });
  });

  it('is stopped by SIGTERM, and by SIGKILL when it ignores that', async () => {
    const willing = run(sleeping);
    const stubborn = run(`process.on('SIGTERM', () => console.log('no')); ${sleeping.replace('up', 'here')}`);
    await printed('up');
    await printed('here');

    expect(await willing.stop(30_000)).toBe(true);
    expect(await stubborn.stop(50)).toBe(false);
    expect(await stubborn.ended).toMatchObject({ signal: 'SIGKILL' });
  });

  it('takes what it has started with it', async () => {
    const script = `const { spawn } = require('node:child_process');
      const inner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      inner.once('spawn', () => { console.log(inner.pid); setTimeout(() => process.exit(0), 100); });`;
    const child = run(script);
    await child.ended;

    const inner = referenceOf(Number(lines[0]?.replace('stdout: ', '')));
    await eventually(() => inner === undefined || !isAlive(inner), 'it has ended too');
    expect(lines).toHaveLength(1);
  });

  it('with a log writes there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gantry-child-'));
    const file = join(folder, 'server.log');
    const log = openSync(file, 'a');
    const child = run("console.log('serving')", { output: { log } });
    closeSync(log);
    await child.ended;

    expect(readFileSync(file, 'utf8')).toBe('serving\n');
    rmSync(folder, { recursive: true });
  });
});
