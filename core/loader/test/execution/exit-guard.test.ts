/* oxlint-disable unicorn/no-process-exit -- it is what these tests are about */
import { EventEmitter, once } from 'node:events';
import { createExitGuard, PluginExitError, type ExitGuard } from '../../src/execution/exit-guard';

let guard: ExitGuard;
let ownerOfStack: string | undefined;
beforeEach(() => {
  ownerOfStack = undefined;
  guard = createExitGuard(() => ownerOfStack);
});
afterEach(() => guard.release());

describe('the exit guard', () => {
  it.each<[string, () => unknown]>([
    ['process.exit(3)', () => process.exit(3)],
    ['process.abort()', () => process.abort()],
    ['process.kill of the platform', () => process.kill(process.pid, 'SIGKILL')],
    ['process.kill of the platform', () => process.kill(process.ppid, 'SIGTERM')],
    ['process.disconnect()', () => process.disconnect()],
  ])('converts %s of watched code into an error', async (call, end) => {
    const run = guard.watch('boats', async () => {
      await Promise.resolve();
      end();
    });
    await expect(run).rejects.toMatchObject({ name: 'PluginExitError', call });
  });

  it('counts the attempt even if the code swallows the error', async () => {
    const run = guard.watch('boats', () =>
      Promise.resolve()
        .then(() => process.exit(1))
        .catch(() => 'went on'),
    );
    await expect(run).rejects.toBeInstanceOf(PluginExitError);
  });

  it('gives the result, or the error of its own, of code that does not try', async () => {
    await expect(guard.watch('boats', () => Promise.resolve(5))).resolves.toBe(5);
    await expect(guard.watch('boats', () => Promise.reject(new Error('own')))).rejects.toThrow('own');
  });

  it('lets watched code ask whether a process exists', async () => {
    await expect(guard.watch('boats', () => Promise.resolve(process.kill(process.pid, 0)))).resolves.toBe(true);
  });

  it('converts the attempt of a timer that a plugin left behind into an error, and knows whose it is', async () => {
    const attempt = await guard.watch('boats', () => {
      const left = new Promise<unknown>((resolve) => {
        setTimeout(() => {
          try {
            process.exit(4);
          } catch (error) {
            resolve([guard.current(), error]);
          }
        }, 1);
      });
      return Promise.resolve({ left });
    });
    expect(await attempt.left).toEqual(['boats', expect.any(PluginExitError) as PluginExitError]);
    expect(guard.current()).toBeUndefined();
  });

  it('converts the attempt of a plugin whose context was lost into an error, by its stack', () => {
    guard.enter('others', () => undefined);
    ownerOfStack = 'boats';
    expect(() => process.exit(5)).toThrow(PluginExitError);
  });

  it('leaves the code around it alone, meanwhile and afterwards', async () => {
    const original = process.exit;
    const ended: unknown[] = [];
    process.exit = (...args) => {
      ended.push(args);
      return undefined as never;
    };
    try {
      const pending = new EventEmitter();
      const run = guard.watch('boats', () => once(pending, 'done'));
      process.exit(1);
      // Without an argument, process.exitCode counts.
      process.exit();
      pending.emit('done');
      await run;
      guard.release();
      process.exit(2);
    } finally {
      process.exit = original;
    }
    expect(ended).toEqual([[1], [], [2]]);
  });
});
