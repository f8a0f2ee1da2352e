import { readdirSync, watch, type FSWatcher } from 'node:fs';
import { join, sep } from 'node:path';
import { messageOf } from '@gantry/core-common';

export interface WatchedPlugin {
  readonly folder: string;
  /** Whether its folder `dist` is made by a build. */
  readonly isBuilt: boolean;
}

const quietMs = 50;
const unwatched: ReadonlySet<string> = new Set(['node_modules', '.git', '.gantry']);

/** Calls back after changes of the sources of a plugin, one call at a time. @returns what ends that */
export function watchSources({ folder, isBuilt }: WatchedPlugin, onChange: () => Promise<void>): () => void {
  const isSource = (path: string): boolean => {
    const [first = ''] = path.split(sep);
    return !unwatched.has(first) && !(isBuilt && first === 'dist') && !path.endsWith('~');
  };
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
  const changed = (path: string): void => {
    if (!isSource(path)) return;
    clearTimeout(timer);
    timer = setTimeout(run, quietMs);
  };
  const below = new Map<string, FSWatcher>();
  // A folder may come, go and come back while the plugin is developed.
  const watchFolders = (): void => {
    const names = foldersIn(folder).filter(isSource);
    for (const [name, watcher] of below) {
      if (names.includes(name)) continue;
      watcher.close();
      below.delete(name);
    }
    for (const name of names) below.set(name, below.get(name) ?? watchFolder(name));
  };
  const watchFolder = (name: string): FSWatcher =>
    watch(join(folder, name), { recursive: true }, (_event, path) => changed(join(name, path ?? ''))).on(
      'error',
      () => {
        below.get(name)?.close();
        below.delete(name);
      },
    );
  const top = watch(folder, (_event, name) => {
    watchFolders();
    changed(name ?? '');
  });
  watchFolders();
  return () => {
    clearTimeout(timer);
    for (const watcher of [top, ...below.values()]) watcher.close();
  };
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    // It was removed.
    return [];
  }
}
