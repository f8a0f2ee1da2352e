import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../test/support/eventually';
import { watchSources, type WatchedSources } from '../src/common/watch-sources';

describe('the sources of a plugin that is developed', () => {
  let parent: string;
  let folder: string;
  let calls: number;
  let watched: WatchedSources;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'gantry-watched-'));
    folder = join(parent, 'recipes');
    mkdirSync(join(folder, 'src/steps'), { recursive: true });
    for (const path of ['src/index.ts', 'src/steps/first.ts']) writeFileSync(join(folder, path), '');
    calls = 0;
    watched = watchSources({ folder, isBuilt: true }, async () => void (calls += 1));
  });
  afterEach(() => {
    watched.close();
    rmSync(parent, { recursive: true, force: true });
  });

  /** A save after which there is a call. */
  async function isSeen(path: string): Promise<void> {
    const before = calls;
    await eventually(() => {
      writeFileSync(join(folder, path), String(Math.random()));
      return calls > before;
    }, `a change of ${path} is seen`);
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

  it('are counted, and watched after files, folders and the plugin itself were replaced by others of their names', async () => {
    expect(watched.files).toBe(2);
    const replace = (path: string): void => {
      renameSync(join(parent, path), join(parent, 'old'));
      renameSync(join(parent, 'new'), join(parent, path));
      rmSync(join(parent, 'old'), { recursive: true });
    };

    writeFileSync(join(parent, 'new'), 'as an editor and git checkout do');
    renameSync(join(parent, 'new'), join(folder, 'src/index.ts'));
    await isSeen('src/index.ts');

    mkdirSync(join(parent, 'new/steps'), { recursive: true });
    replace('recipes/src');
    await isSeen('src/steps/first.ts');

    mkdirSync(join(parent, 'new/src'), { recursive: true });
    replace('recipes');
    await isSeen('src/index.ts');
    await isSeen('src/index.ts');
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
