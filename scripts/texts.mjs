/**
 * `npm run texts`: compares the English texts in the sources of each package (messages, descriptions, labels) with test/texts.
 * A change fails until it is acknowledged: `npm run texts -- --accept` writes the files, which are then part of the commit. So
 * a change of wording is read as one, and tests need to assert only codes, paths and values.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolders } from './lib/build-steps.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { root } from './lib/run.mjs';

await ensureInstalled();
const { textsIn } = await import('./lib/texts-in.mjs');

const folder = join(root, 'test/texts');
const accepts = process.argv.includes('--accept');
const written = new Map(projectFolders().map((name) => [`${name.replaceAll('/', '-')}.txt`, format(textsOf(name))]));
const stored = new Map(readStored());
const names = [...new Set([...written.keys(), ...stored.keys()])];
const changed = names.filter((name) => written.get(name) !== stored.get(name));

if (accepts) {
  mkdirSync(folder, { recursive: true });
  for (const name of changed) {
    if (written.has(name)) writeFileSync(join(folder, name), written.get(name));
    else rmSync(join(folder, name));
  }
  console.log(changed.length === 0 ? 'No text has changed.' : `Written: ${changed.join(', ')}`);
} else if (changed.length > 0) {
  for (const name of changed) showDifference(name);
  console.error(
    '\nTexts have changed. Read them as a user would, and acknowledge them with: npm run texts -- --accept',
  );
  process.exitCode = 1;
}

function textsOf(name) {
  const files = ['src', 'web/src'].flatMap((source) => filesBelow(join(root, name, source)));
  return [...new Set(files.flatMap((file) => textsIn(readFileSync(file, 'utf8'), file)))].toSorted();
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Undefined without any text. */
function format(texts) {
  return texts.length === 0 ? undefined : `${texts.join('\n')}\n`;
}

function readStored() {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}

function showDifference(name) {
  const lines = (text) => new Set((text ?? '').split('\n').filter((line) => line !== ''));
  const [before, after] = [lines(stored.get(name)), lines(written.get(name))];
  console.log(`\ntest/texts/${name}`);
  for (const line of before) if (!after.has(line)) console.log(`- ${line}`);
  for (const line of after) if (!before.has(line)) console.log(`+ ${line}`);
}
