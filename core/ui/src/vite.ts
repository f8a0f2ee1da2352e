/** Options of {@link gantryUi}. @public */
export interface GantryUiOptions {
  /** The module with `export default defineUi(…)`; `ui/index.tsx` unless given. */
  readonly entry?: string;
  /** The folder that `gantry.ui.entry` of the manifest names; `dist/ui` unless given. */
  readonly outDir?: string;
}

/** Modules that the admin pages give to every plugin, so that all have the same React. @public */
export const sharedModules = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client', '@gantry/ui'] as const;

/**
 * A preset for Vite: builds one ES module, `index.js`, with what it imports bundled, except for the shared modules.
 * @example
 * // vite.config.mjs
 * import { gantryUi } from '@gantry/ui/vite';
 * export default { plugins: [gantryUi()] };
 * @public
 */
export function gantryUi({ entry = 'ui/index.tsx', outDir = 'dist/ui' }: GantryUiOptions = {}) {
  return {
    name: 'gantry-ui',
    config: () => ({
      // Libraries ask for it, and a browser has no `process`.
      define: { 'process.env.NODE_ENV': '"production"' },
      // Independent of NODE_ENV: the development form of JSX imports a module that the pages do not share.
      oxc: { jsx: { runtime: 'automatic' as const, development: false } },
      publicDir: false as const,
      build: {
        outDir,
        emptyOutDir: true,
        target: 'es2022',
        minify: true,
        // A file that became a data address would be refused by the content security policy of the pages.
        assetsInlineLimit: 0,
        lib: { entry, formats: ['es' as const], fileName: () => 'index.js' },
        rolldownOptions: { external: [...sharedModules] },
      },
    }),
  };
}
