/**
 * What pages load before they can be drawn, beyond the scripts of every page: index.html gets it as links, so that the browser
 * does not learn of it only from the scripts that need it.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** By what it is for: the chunks (chunks.mjs, shared-modules.mjs) that a page imports on request. */
const parts = { item: 'item', controls: 'controls', plugins: 'shared-gantry-ui' };

/**
 * Writes preloads.json beside index.html, from the manifest of the build, which is removed.
 * @param output the folder of the build
 */
export async function writePreloads(output) {
  const file = join(output, '.vite/manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  const loaded = filesOf(manifest, 'index.html');
  const lists = Object.entries(parts).map(([name, wanted]) => {
    const entry = Object.keys(manifest).find((key) => manifest[key].name === wanted);
    if (entry === undefined) throw new Error(`The build has no chunk ${wanted}.`);
    const files = [...filesOf(manifest, entry)].filter((path) => !loaded.has(path));
    // A page that needs the later ones has the earlier, too.
    for (const path of files) loaded.add(path);
    return [name, files.map((path) => `/admin/${path}`)];
  });
  await writeFile(join(output, 'preloads.json'), JSON.stringify(Object.fromEntries(lists)));
  await rm(dirname(file), { recursive: true });
}

/** A chunk, its styles, and all that it imports. */
function filesOf(manifest, entry, found = new Set()) {
  const chunk = manifest[entry];
  if (found.has(chunk.file)) return found;
  for (const path of [chunk.file, ...(chunk.css ?? [])]) found.add(path);
  for (const other of chunk.imports ?? []) filesOf(manifest, other, found);
  return found;
}
