import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { acquireHomeLock } from '../src/home/home-lock';
import { makeHome, removeHomes } from './support/homes';

type Holder = ChildProcessByStdio<null, Readable, null>;
const holders: Holder[] = [];

afterEach(async () => {
  await Promise.all(holders.splice(0).map(kill));
  removeHomes();
});

describe('the lock of a home', () => {
  it('is held by one process at a time, which it names', async () => {
    const home = makeHome();
    const holder = takeLock(home);
    await answerOf(holder);

    expect(acquireHomeLock(home, 'gantry up')).toMatchObject({ heldBy: { pid: holder.pid, purpose: 'gantry test' } });
  });

  it('closes a home that earlier versions left open to others, and nothing but the folders that are its own', () => {
    const home = makeHome();
    const passable = process.getuid?.() === 0 ? 0o711 : 0o700;
    for (const name of ['', 'data', 'imports', 'logs', 'postgres', 'elsewhere']) {
      mkdirSync(join(home, name), { mode: 0o755 });
    }
    acquireHomeLock(home, 'gantry up');

    const modeOf = (name: string): number => statSync(join(home, name)).mode & 0o777;
    expect(['', 'postgres', 'data', 'imports', 'logs', 'elsewhere'].map(modeOf)).toEqual([
      passable,
      passable,
      0o700,
      0o700,
      0o700,
      0o755,
    ]);
  });

  it('can be taken again after it was given back', () => {
    const home = makeHome();
    const first = acquireHomeLock(home, 'gantry up');
    if ('release' in first) first.release();

    expect(acquireHomeLock(home, 'gantry up')).toHaveProperty('release');
  });

  it('of a killed process is taken over by exactly one of several that come at once', async () => {
    const home = makeHome();
    const killed = takeLock(home);
    await answerOf(killed);
    await kill(killed);

    const answers = await Promise.all(Array.from({ length: 6 }, () => answerOf(takeLock(home))));

    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
    expect(readdirSync(home)).toEqual(['lock']);
  });

  it('of a killed process is taken over although the one that was about to do so was killed as well', async () => {
    const home = makeHome();
    const killed = takeLock(home);
    await answerOf(killed);
    await kill(killed);
    const content = readFileSync(join(home, 'lock'), 'utf8');
    const claim = createHash('sha256').update(content).digest('hex').slice(0, 16);
    writeFileSync(join(home, `lock.${claim}`), content.replace('gantry test', 'gantry up'));

    expect(acquireHomeLock(home, 'gantry up')).toHaveProperty('release');
    expect(readdirSync(home)).toEqual(['lock']);
  });

  it.each([
    ['', -1],
    [', also when the clock was put back', 1],
  ])('that was written only halfway counts for a moment, and then no more%s', (_, sign) => {
    const home = makeHome();
    mkdirSync(home);
    const file = join(home, 'lock');
    writeFileSync(file, '{"pid":');
    const young = acquireHomeLock(home, 'gantry up');
    const written = Date.now() / 1_000 + sign * 1_000;
    utimesSync(file, written, written);
    const old = acquireHomeLock(home, 'gantry up');

    expect(young).toEqual({ heldBy: undefined });
    expect(old).toHaveProperty('release');
    expect(readFileSync(file, 'utf8')).toContain(`"pid":${process.pid}`);
  });
});

function takeLock(home: string): Holder {
  const child = spawn(process.execPath, [join(__dirname, 'fixtures/take-lock.cjs'), home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  holders.push(child);
  return child;
}

function answerOf(holder: Holder): Promise<string> {
  return new Promise((resolve) => {
    holder.stdout.once('data', (chunk: Buffer) => {
      resolve(chunk.toString('utf8').trim());
    });
  });
}

async function kill(holder: Holder): Promise<void> {
  if (holder.exitCode !== null || holder.signalCode !== null) return;
  const gone = new Promise((resolve) => holder.once('exit', resolve));
  holder.kill('SIGKILL');
  await gone;
}
