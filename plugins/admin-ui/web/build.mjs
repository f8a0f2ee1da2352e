/** Bundles the admin pages into ../dist/web and compresses what a browser loads. Their types are checked by a step of the build. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { chunks } from './chunks.mjs';
import { documents } from './documents.mjs';
import { writePreloads } from './list-preloads.mjs';
import { ownColours } from './own-colours.mjs';
import { sharedModules } from './shared-modules.mjs';

const web = dirname(fileURLToPath(import.meta.url));
const packages = createRequire(import.meta.url);
const routerFolder = join(dirname(packages.resolve('react-router')), '../production');
const output = join(web, '../dist/web');
/** They come with others, of which they are properties, and the pages draw none. */
const undrawn = new Set(['CheckboxCard', 'CheckboxIndicator', 'RadioCard', 'RadioIndicator']);

await bundle();

async function bundle() {
  await build({
    configFile: false,
    root: web,
    base: '/admin/',
    logLevel: 'warn',
    resolve: {
      alias: [
        // Their builds are CommonJS, of which a page would get all, texts of errors included.
        { find: '@gantry/contracts', replacement: join(web, '../../../contracts/src/index.ts') },
        { find: '@gantry/client/platform', replacement: join(web, '../../../core/client/src/platform.ts') },
        // Its package.json names only the build that warns developers.
        { find: /^react-router$/, replacement: join(routerFolder, 'index.mjs') },
        { find: /^react-router\/dom$/, replacement: join(routerFolder, 'dom-export.mjs') },
      ],
    },
    plugins: [react(), ownColours(), sharedModules(web), chunks(), documents(join(web, '../../../docs'))],
    build: {
      outDir: output,
      emptyOutDir: true,
      manifest: true,
      target: 'es2022',
      // The first that know light-dark(): for older ones it would be rewritten to variables that nothing sets.
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      // A file that became a data address would be refused by the content security policy, or need an exception in it.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1500,
    },
  });
  await checkStyles();
  await writePreloads(output);
  await compressAll();
}

/** A component of the library whose styles are not imported would be drawn without any, and nothing else would say so. */
async function checkStyles() {
  const folder = join(dirname(packages.resolve('@mantine/core/styles.layer.css')), 'styles');
  const [used, styled] = await Promise.all(['.js', '.css'].map(readAssets));
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.layer.css'))) {
    if (undrawn.has(name.slice(0, -'.layer.css'.length))) continue;
    const classes = (await readFile(join(folder, name), 'utf8')).match(/\bm_[0-9a-f]+\b/g) ?? [];
    if (classes.some((one) => used.includes(one)) && !classes.some((one) => styled.includes(one))) {
      throw new Error(
        `Components are used whose styles are missing: import @mantine/core/styles/${name} in mantine.css.`,
      );
    }
  }
}

async function readAssets(extension) {
  const folder = join(output, 'assets');
  const names = (await readdir(folder)).filter((name) => name.endsWith(extension));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.join('\n');
}

async function compressAll() {
  const entries = await readdir(output, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(js|css|svg)$/.test(entry.name));
  await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))));
}

async function compress(file) {
  const content = await readFile(file);
  const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  const [small, smallest] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, brotliOptions),
  ]);
  await Promise.all([writeFile(`${file}.gz`, small), writeFile(`${file}.br`, smallest)]);
}
