import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../test/support/eventually';
import { watchSources } from '../src/common/watch-sources';

describe('the sources of a plugin that is developed', () => {
  let folder: string;
  let calls: number;
  let close: () => void;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-watched-'));
    mkdirSync(join(folder, 'src'));
    calls = 0;
    close = watchSources({ folder, isBuilt: true }, async () => void (calls += 1));
  });
  afterEach(() => {
    close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A save after which there is a call. */
  async function isSeen(path: string): Promise<void> {
    const before = calls;
    await eventually(
      () => {
        writeFileSync(join(folder, path), String(Math.random()));
        return calls > before;
      },
      10_000,
      `a change of ${path} is seen`,
    );
  }

  it('are watched in the folders that are there, and in those that come later, come back or have others below', async () => {
    await isSeen('package.json');
    await isSeen('src/index.ts');

    mkdirSync(join(folder, 'ui/parts'), { recursive: true });
    await isSeen('ui/page.tsx');
    await isSeen('ui/parts/button.tsx');

    rmSync(join(folder, 'src'), { recursive: true });
    mkdirSync(join(folder, 'src'));
    await isSeen('src/index.ts');
    expect(calls).toBeGreaterThanOrEqual(5);
  });

  it('are not what a build writes or installs', async () => {
    mkdirSync(join(folder, 'dist'));
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'dist/index.js'), '');
    writeFileSync(join(folder, 'node_modules/index.js'), '');

    // Several times as long as changes are collected.
    await pause(300);
    expect(calls).toBe(0);
    await isSeen('src/index.ts');
  });
});
