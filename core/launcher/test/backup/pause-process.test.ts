import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { referenceOf, type ProcessReference } from '@gantry/core-common';
import { whilePaused } from '../../src/backup/pause-process';
import { eventually } from '../../../../test/support/eventually';

let child: ChildProcess;
let reference: ProcessReference;

beforeEach(async () => {
  child = spawn('sleep', ['300'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const found = referenceOf(child.pid ?? 0);
  if (found === undefined) throw new Error('The process to be paused did not start.');
  reference = found;
});

afterEach(() => {
  child.kill('SIGKILL');
});

describe('a process that is paused', () => {
  it('is stopped while the work is done, and continues after it', async () => {
    const { result, pausedMs } = await whilePaused(reference, () => Promise.resolve(isStopped()));

    expect(result).toBe(true);
    expect(pausedMs).toBeLessThan(2_000);
    await eventually(() => !isStopped());
  });

  it('continues when the work fails', async () => {
    const paused = whilePaused(reference, () => Promise.reject(new Error('it fails')));

    await expect(paused).rejects.toThrow('it fails');
    await eventually(() => !isStopped());
  });

  it('continues after two seconds, and the work counts as failed then', async () => {
    const paused = whilePaused(reference, async () => {
      await eventually(isStopped);
      await eventually(() => !isStopped());
    });

    await expect(paused).rejects.toThrow(/ 2 s .*paused/);
  });

  it('continues after two seconds, which is the reason that is named when the work fails then', async () => {
    const paused = whilePaused(reference, async () => {
      await eventually(() => !isStopped());
      throw new Error('the journal does not exist');
    });

    await expect(paused).rejects.toThrow(/ 2 s .*paused/);
  });

  it('continues when the process that paused it is killed', async () => {
    const pauser = spawn(process.execPath, ['-e', pausingProgram(), JSON.stringify(reference)], { stdio: 'ignore' });
    await eventually(isStopped);

    pauser.kill('SIGKILL');

    await eventually(() => !isStopped());
  });

  it('cannot be one that has ended', async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');

    await expect(whilePaused(reference, () => delay(0))).rejects.toThrow(/Temporal ended /);
  });
});

/** Pauses without end; the watchdog would let it continue after two seconds. */
function pausingProgram(): string {
  const file = join(__dirname, '../../dist/backup/pause-process.js');
  return `require(${JSON.stringify(file)}).whilePaused(JSON.parse(process.argv[1]), () => new Promise(() => setInterval(() => {}, 1000)))`;
}

function isStopped(): boolean {
  const stat = readFileSync(`/proc/${reference.pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}
