import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar-stream';
import { cacheFolder } from './cache-folder.mjs';

const require = createRequire(import.meta.url);

/**
 * Unpacks the browser of the package @sparticuz/chromium into the cache, once for each version, and resolves with a program
 * that starts it with its own libraries and fonts. Of the package only the archives are used: its code trusts a file in
 * the folder for temporary files that any user can write, and its flags switch off web security and site isolation.
 */
export async function ensureNpmChromium(environment = process.env) {
  const archives = join(packageFolder(), 'bin');
  const { version } = JSON.parse(fs.readFileSync(join(packageFolder(), 'package.json'), 'utf8'));
  const folder = join(cacheFolder(environment), `chromium-${version}`);
  if (!fs.existsSync(folder)) await unpack(archives, folder);
  return join(folder, 'chromium-headless-shell');
}

/** The package exports neither its archives nor its package.json, so that its folder is found by its main file. */
function packageFolder() {
  return join(dirname(require.resolve('@sparticuz/chromium')), '..', '..');
}

/** Unpacks into a temporary folder and renames it, so that processes at the same time never see half of it. */
async function unpack(archives, folder) {
  console.error(`Unpacking ${basename(folder)} ...`);
  fs.mkdirSync(dirname(folder), { recursive: true });
  const building = fs.mkdtempSync(join(dirname(folder), 'building-'));
  try {
    await pipeline(
      fs.createReadStream(join(archives, 'chromium.br')),
      createBrotliDecompress(),
      fs.createWriteStream(join(building, 'chromium'), { mode: 0o700 }),
    );
    for (const name of ['al2023', 'swiftshader', 'fonts']) {
      await extractArchive(join(archives, `${name}.tar.br`), building);
    }
    writeProgram(building);
    writeFonts(building, folder);
    fs.renameSync(building, folder);
  } catch (error) {
    if (!fs.existsSync(folder)) throw error;
  } finally {
    fs.rmSync(building, { recursive: true, force: true });
  }
}

async function extractArchive(file, folder) {
  const archive = extract();
  const written = writeEntries(archive, folder);
  await pipeline(fs.createReadStream(file), createBrotliDecompress(), archive);
  await written;
}

async function writeEntries(archive, folder) {
  for await (const entry of archive) {
    const { name, type, mode } = entry.header;
    const path = join(folder, name);
    if (type !== 'file') {
      entry.resume();
      continue;
    }
    if (!path.startsWith(join(folder, '/'))) throw new Error(`The archive has an entry outside of its folder: ${name}`);
    fs.mkdirSync(dirname(path), { recursive: true });
    await pipeline(entry, fs.createWriteStream(path, { mode: mode & 0o755 }));
  }
}

/** Paths are found at run time, because the folder is renamed. */
function writeProgram(folder) {
  const file = join(folder, 'chromium-headless-shell');
  const lines = [
    '#!/bin/sh',
    'folder=$(dirname "$0")',
    'LD_LIBRARY_PATH="$folder/lib" FONTCONFIG_PATH="$folder" exec "$folder/chromium" "$@"',
  ];
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  fs.chmodSync(file, 0o700);
}

/** Instead of the file of the package, which names folders for temporary files that any user can write. */
function writeFonts(building, folder) {
  const path = folder.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    `<fontconfig><dir>${path}/fonts</dir><cachedir>${path}/font-cache</cachedir></fontconfig>`,
  ];
  fs.writeFileSync(join(building, 'fonts.conf'), `${lines.join('\n')}\n`);
}
