import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { installInCache } from '../src/common/install-in-cache';

let cache: string;
beforeEach(() => {
  cache = join(mkdtempSync(join(realpathSync(tmpdir()), 'gantry-cache-')), 'cache');
});
afterEach(() => rmSync(join(cache, '..'), { recursive: true }));

const never = new AbortController().signal;
const program = () => ({ cache, folder: 'tool-1.0', file: 'tool' });

function write(folder: string): string {
  const file = join(folder, 'anything');
  writeFileSync(file, '#!/bin/sh\n');
  return file;
}

async function makeSlowly(folder: string): Promise<string> {
  await delay(200);
  return write(folder);
}

describe('a program of the cache', () => {
  it('is made once by those that need it at the same time', async () => {
    const make = jest.fn(makeSlowly);
    const paths = await Promise.all([1, 2, 3].map(() => installInCache(program(), make, never)));

    expect(make).toHaveBeenCalledTimes(1);
    expect(new Set(paths)).toEqual(new Set([join(cache, 'tool-1.0/bin/tool')]));
    expect(readdirSync(cache)).toEqual(['tool-1.0']);
  });

  it('is made by the next one when the first one fails', async () => {
    const make = jest.fn(makeSlowly).mockRejectedValueOnce(new Error('no network'));
    const outcomes = await Promise.allSettled([1, 2].map(() => installInCache(program(), make, never)));

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(readdirSync(cache)).toEqual(['tool-1.0']);
  });

  it('removes what a killed process has left of it, and nothing of other programs', async () => {
    for (const name of ['building-tool-1.0-aB3dE6', 'building-tool-2.0-aB3dE6']) {
      mkdirSync(join(cache, name, 'half'), { recursive: true });
    }

    await installInCache(program(), (folder) => Promise.resolve(write(folder)), never);

    expect(readdirSync(cache).toSorted()).toEqual(['building-tool-2.0-aB3dE6', 'tool-1.0']);
  });

  it('is not waited for any longer when the start is interrupted', async () => {
    const controller = new AbortController();
    const first = installInCache(program(), makeSlowly, never);
    const second = installInCache(program(), makeSlowly, controller.signal);
    controller.abort(new Error('interrupted'));

    await expect(second).rejects.toThrow('interrupted');
    await expect(first).resolves.toBe(join(cache, 'tool-1.0/bin/tool'));
  });
});
