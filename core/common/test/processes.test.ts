import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endProcess, isAlive, ownReference, referenceOf } from '../src/processes';

describe('a process', () => {
  it('is recognised by its number and its start time', () => {
    const own = ownReference();

    expect(isAlive(own)).toBe(true);
    expect(isAlive({ ...own, startedAt: 'earlier' })).toBe(false);
  });

  it('is ended by the first signal that it does not ignore', async () => {
    const script = "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)";
    const child = spawn(process.execPath, ['-e', script], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const reference = referenceOf(child.pid ?? 0);
    if (reference === undefined) throw new Error('It has ended before.');
    const steps = [
      ['SIGTERM', 50],
      ['SIGKILL', 10_000],
    ] as const;

    expect(await endProcess(reference, steps.slice(0, 1), 'group')).toBe(false);
    expect(await endProcess(reference, steps, 'group')).toBe(true);
    expect(isAlive(reference)).toBe(false);
  });
});
