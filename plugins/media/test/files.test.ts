import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldersIn, removeAbandoned } from '../src/files';

describe('files that are not whole', () => {
  it('are removed an hour after anybody wrote to them, and not before', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-media-files-'));
    try {
      const folders = foldersIn(folder);
      const now = new Date('2026-11-21T12:00:00Z');
      await mkdir(folders.incoming, { recursive: true });
      for (const [name, time] of Object.entries({ 'old.part': '10:59:00', 'new.part': '11:01:00' })) {
        const path = join(folders.incoming, name);
        await writeFile(path, 'x');
        await utimes(path, now, new Date(`2026-11-21T${time}Z`));
      }
      await removeAbandoned(folders, now);

      expect(await readdir(folders.incoming)).toEqual(['new.part']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('are removed at once when the process that wrote them has ended', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-media-files-'));
    try {
      const folders = foldersIn(folder);
      await mkdir(folders.incoming, { recursive: true });
      const { pid: ended } = spawnSync(process.execPath, ['--version']);
      for (const pid of [ended, process.ppid]) await writeFile(join(folders.incoming, `${pid}-a.part`), 'x');
      await removeAbandoned(folders, new Date());

      expect(await readdir(folders.incoming)).toEqual([`${process.ppid}-a.part`]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
