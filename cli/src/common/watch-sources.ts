import { lstatSync, readdirSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { messageOf } from '@gantry/core-common';

export interface WatchedPlugin {
  readonly folder: string;
  /** Whether its folder `dist` is made by a build. */
  readonly isBuilt: boolean;
}

export interface WatchedSources {
  /** How many there are at the start. */
  readonly files: number;
  close(): void;
}

const quietMs = 50;
const unwatched: ReadonlySet<string> = new Set(['node_modules', '.git', '.gantry']);

/** Calls back after changes of the sources of a plugin, one call at a time. */
export function watchSources({ folder, isBuilt }: WatchedPlugin, onChange: () => Promise<void>): WatchedSources {
  const name = basename(folder);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let waiting = false;
  // One at a time; what changes meanwhile is one more.
  const run = (): void => {
    if (waiting) return;
    waiting = true;
    running = running
      .then(() => {
        waiting = false;
        return onChange();
      })
      .catch((error: unknown) => void process.stderr.write(`${messageOf(error)}\n`));
  };
  // From the parent on, as a checkout may remove the folder and bring it back.
  const tree = watchTree(dirname(folder), {
    isWatched: (path) => {
      const [top, ...names] = path.split(sep);
      const isBuild = isBuilt && names[0] === 'dist';
      return top === name && !isBuild && !names.some((part) => unwatched.has(part)) && !path.endsWith('~');
    },
    onChange: () => {
      clearTimeout(timer);
      timer = setTimeout(run, quietMs);
    },
  });
  return {
    files: tree.files,
    close: () => {
      clearTimeout(timer);
      tree.close();
    },
  };
}

interface TreeOptions {
  /** Of a path below the root. */
  readonly isWatched: (path: string) => boolean;
  readonly onChange: () => void;
}

/**
 * One watcher for each folder: on Linux, the recursive one of Node.js and watchers of files are deaf after a file or a folder was
 * replaced (decision 0061).
 */
function watchTree(root: string, { isWatched, onChange }: TreeOptions): WatchedSources {
  const watchers = new Map<string, FSWatcher>();
  const leave = (path: string): void => {
    for (const [watched, watcher] of watchers) {
      if (watched !== path && !watched.startsWith(path + sep)) continue;
      watcher.close();
      watchers.delete(watched);
    }
  };
  /** @returns the number of its files */
  const enter = (path: string): number => {
    // Before its entries are read, so that one that comes meanwhile is noticed.
    const watcher = watchFolder(join(root, path), (event, entry) => {
      const below = join(path, entry);
      if (!isWatched(below)) return;
      // A folder of this name may be another one than before.
      if (event === 'rename') {
        leave(below);
        if (isFolder(join(root, below))) enter(below);
      }
      onChange();
    });
    if (watcher !== undefined) watchers.set(path, watcher);
    let files = 0;
    for (const entry of entriesOf(join(root, path))) {
      const below = join(path, entry.name);
      if (isWatched(below)) files += entry.isDirectory() ? enter(below) : 1;
    }
    return files;
  };
  return {
    files: enter(''),
    close: () => {
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

/** @returns undefined for a folder that is gone, and for one that the system does not watch, which is said */
function watchFolder(folder: string, onEvent: (event: string, entry: string) => void): FSWatcher | undefined {
  try {
    return watch(folder, (event, entry) => onEvent(event, entry ?? '')).on('error', () => {
      // It was removed; its parent has an event, too.
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const remedy = code === 'ENOSPC' ? ' Raise the limit: sysctl fs.inotify.max_user_watches=524288' : '';
    process.stderr.write(`Changes in ${folder} are not noticed: ${messageOf(error)}.${remedy}\n`);
    return undefined;
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It was removed.
    return [];
  }
}
