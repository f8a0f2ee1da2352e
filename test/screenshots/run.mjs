/**
 * Renews the pictures of docs/screenshots, with words only those of pages whose names contain one of them. Build first; then look
 * at them.
 *
 *   node test/screenshots/run.mjs [word ...]
 */
import { writeFile } from 'node:fs/promises';
import { fileOf, reduceColours } from './compare-picture.mjs';
import { takePictures } from './take-pictures.mjs';

const words = process.argv.slice(2);

await takePictures(
  async (name, picture) => {
    const small = await reduceColours(picture);
    await writeFile(fileOf(name), small);
    console.log(`${name}.png ${Math.round(small.length / 1000)} kB`);
  },
  (name) => words.length === 0 || words.some((word) => name.includes(word)),
);
