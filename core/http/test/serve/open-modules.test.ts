import type { Kernel, Module, OpenModule } from '../../src/module';
import { openModules } from '../../src/serve/open-modules';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';

function opened(parts: Partial<OpenModule>) {
  const module: Module = {
    id: 'gantry.sample',
    routes: [],
    open: () => ({ routes: () => [], authenticate: () => () => undefined, ...parts }),
  };
  return openModules([module], { logger: createRecordedLogger() } as unknown as Kernel, undefined);
}

describe('a module that cannot start', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is degraded and tried again until it can, and the platform serves without it', async () => {
    let failing = 2;
    const start = jest.fn(async () => {
      if (failing-- > 0) throw new Error('no database');
    });
    const modules = opened({ start });

    await modules.start();
    expect(await modules.health()).toEqual([
      {
        name: 'module gantry.sample',
        status: 'degraded',
        message: expect.stringMatching(/tried again every 5 s: .*no database/),
      },
    ]);

    await jest.advanceTimersByTimeAsync(5_000);
    expect(await modules.health()).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await modules.health()).toEqual([]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(start).toHaveBeenCalledTimes(3);
    await modules.stop();
  });

  it('is not tried again when the platform stops, and is ended', async () => {
    const start = jest.fn(() => Promise.reject(new Error('no database')));
    const stop = jest.fn();
    const modules = opened({ start, stop });

    await modules.start();
    await modules.stop();
    await jest.advanceTimersByTimeAsync(60_000);

    expect(start).toHaveBeenCalledTimes(1);
    expect(stop).toHaveBeenCalledTimes(1);
  });
});
