/* oxlint-disable unicorn/no-process-exit -- it is what these tests are about */
import { EventEmitter, once } from 'node:events';
import { createExitGuard, PluginExitError } from '../../src/plugins/exit-guard';

describe('the exit guard', () => {
  it.each<[string, () => unknown]>([
    ['process.exit(3)', () => process.exit(3)],
    ['process.abort()', () => process.abort()],
    ['process.kill of its own process', () => process.kill(process.pid, 'SIGKILL')],
  ])('turns %s of watched code into an error', async (call, end) => {
    const run = createExitGuard().watch(async () => {
      await Promise.resolve();
      end();
    });
    await expect(run).rejects.toMatchObject({ name: 'PluginExitError', call });
  });

  it('counts the attempt even if the code swallows the error', async () => {
    const run = createExitGuard().watch(() =>
      Promise.resolve()
        .then(() => process.exit(1))
        .catch(() => 'went on'),
    );
    await expect(run).rejects.toBeInstanceOf(PluginExitError);
  });

  it('gives the result, or the error of its own, of code that does not try', async () => {
    const guard = createExitGuard();
    await expect(guard.watch(() => Promise.resolve(5))).resolves.toBe(5);
    await expect(guard.watch(() => Promise.reject(new Error('own')))).rejects.toThrow('own');
  });

  it('lets watched code ask whether a process lives', async () => {
    await expect(createExitGuard().watch(() => Promise.resolve(process.kill(process.pid, 0)))).resolves.toBe(true);
  });

  it('leaves the code around it alone, meanwhile and afterwards', async () => {
    const original = process.exit;
    const ended: unknown[] = [];
    process.exit = (code) => {
      ended.push(code);
      return undefined as never;
    };
    try {
      const pending = new EventEmitter();
      const run = createExitGuard().watch(() => once(pending, 'done'));
      process.exit(1);
      pending.emit('done');
      await run;
      process.exit(2);
    } finally {
      process.exit = original;
    }
    expect(ended).toEqual([1, 2]);
  });
});
