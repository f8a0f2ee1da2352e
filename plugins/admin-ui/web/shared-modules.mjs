/**
 * A plugin for Vite: the build emits the libraries that modules of plugins share with the application, and index.html
 * names them in an import map before its first script. They come from the same chunks as the application's own, so that
 * all have one React.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const surface = '@gantry/ui';
const libraries = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'];
const prefix = 'shared:';
const placeholder = '<!-- import map -->';

/** @param web the folder of the application's sources */
export function sharedModules(web) {
  return {
    name: 'shared-modules',
    config: () => ({
      build: {
        rolldownOptions: {
          input: {
            index: join(web, 'index.html'),
            ...Object.fromEntries(libraries.map((name) => [fileNameOf(name), prefix + name])),
            [fileNameOf(surface)]: join(web, 'src/plugin-ui/surface/index.ts'),
          },
          // What an entry exports is what plugins import from it.
          preserveEntrySignatures: 'exports-only',
        },
      },
    }),
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith(`\0${prefix}`) ? namedExports(id.slice(prefix.length + 1)) : undefined),
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => html.replace(placeholder, importMap(bundle)),
    },
  };
}

/** React is CommonJS: its exports are only known by running it, as it is for production. */
function namedExports(library) {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  const names = Object.keys(createRequire(import.meta.url)(library)).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name));
  process.env.NODE_ENV = before;
  return `import whole from '${library}';\nexport default whole;\nexport const { ${names.join(', ')} } = whole;\n`;
}

function importMap(bundle) {
  const chunks = Object.values(bundle).filter(({ type, isEntry }) => type === 'chunk' && isEntry);
  const imports = Object.fromEntries(
    [...libraries, surface].map((name) => {
      const chunk = chunks.find((one) => one.name === fileNameOf(name));
      if (chunk === undefined) throw new Error(`The build has no chunk for ${name}.`);
      return [name, `/admin/${chunk.fileName}`];
    }),
  );
  return `<script type="importmap">${JSON.stringify({ imports })}</script>`;
}

/** `react/jsx-runtime` becomes `shared-react-jsx-runtime`. */
function fileNameOf(name) {
  return `shared-${name.replace('@', '').replaceAll('/', '-')}`;
}
