import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Entry } from 'tar-stream';
import { describeError } from '@gantry/core-common';
import { limitBytes, maxBytes, maxFiles, PluginError, unpackLimit } from '@gantry/core-loader';

/**
 * Unpacks a tarball of npm: regular files and folders that stay within the package, nothing else.
 * @param origin what the tarball is called in messages
 * @returns the folder
 * @throws PluginError PLUGIN_UNUSABLE
 */
export async function openTarball(file: string, origin: string, folder: string, signal?: AbortSignal): Promise<string> {
  const entries = extract();
  const unpacked = pipeline(
    createReadStream(file),
    createGunzip(),
    limitBytes(() => tooLarge(origin)),
    entries,
    signal === undefined ? {} : { signal },
  );
  try {
    // The one that fails first ends the other.
    await Promise.all([unpacked, writeAll(entries, origin, folder)]);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof PluginError) throw error;
    throw new PluginError(
      'PLUGIN_UNUSABLE',
      `${origin} cannot be unpacked: ${describeError(error)}`,
      'Make the tarball again: npm pack',
      { cause: error },
    );
  }
  if (await stat(join(folder, 'package.json')).catch(() => undefined)) return folder;
  throw new PluginError(
    'PLUGIN_UNUSABLE',
    `${origin} is not a tarball of npm: it has no package/package.json`,
    'Make the tarball in the folder of the plugin: npm pack',
  );
}

async function writeAll(entries: AsyncIterable<Entry>, origin: string, folder: string): Promise<void> {
  let files = 0;
  let bytes = 0;
  for await (const entry of entries) {
    const { name, type, size = 0, mode = 0 } = entry.header;
    const path = pathWithin(name, origin);
    files += 1;
    bytes += size;
    if (files > maxFiles || bytes > maxBytes) throw tooLarge(origin);
    if (type === 'symlink' || type === 'link') throw linked(name, origin);
    if (path === '' || (type !== 'file' && type !== 'contiguous-file')) {
      entry.resume();
      continue;
    }
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await pipeline(entry, createWriteStream(target, { mode: (mode & 0o100) === 0 ? 0o644 : 0o755 }));
  }
}

/** The path below the one folder that a tarball of npm has, whatever that is called. @throws PluginError PLUGIN_UNUSABLE */
function pathWithin(name: string, origin: string): string {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const isOutside = name.startsWith('/') || /[\\\0]|^[a-z]:/i.test(name) || parts.includes('..');
  if (!isOutside) return parts.slice(1).join('/');
  throw new PluginError(
    'PLUGIN_UNUSABLE',
    `${origin} contains ${JSON.stringify(name)}, which leads out of the package`,
    'Do not use it; npm pack makes no such tarball',
  );
}

function linked(name: string, origin: string): PluginError {
  return new PluginError(
    'PLUGIN_UNUSABLE',
    `${origin} contains the link ${JSON.stringify(name)}`,
    'Put the file itself into the package; npm pack packs no links',
  );
}

function tooLarge(origin: string): PluginError {
  return new PluginError(
    'PLUGIN_UNUSABLE',
    `${origin} contains ${unpackLimit}`,
    'Pack only what the plugin needs when it runs: "files" in its package.json',
  );
}
