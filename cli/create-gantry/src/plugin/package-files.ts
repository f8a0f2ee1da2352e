import { ownRange } from '../own-version';
import { json } from '../write-files';
import type { Plugin } from './plugin';

const temporalRange = '^1.24.0';

export function packageJson({ id, displayName, itemType, routes, service, pages, inProject }: Plugin): string {
  const range = ownRange();
  return json({
    name: `gantry-plugin-${id}`,
    version: '0.1.0',
    description: `${displayName} for Gantry`,
    keywords: ['gantry-plugin'],
    engines: { node: '>=20.19.0' },
    main: './dist/index.js',
    types: './dist/index.d.ts',
    files: ['dist'],
    scripts: {
      build: [
        'tsc',
        ...(service ? ['node bundle.mjs'] : []),
        ...(pages ? ['tsc --project ui', 'vite build'] : []),
      ].join(' && '),
      dev: 'gantry dev',
      test: 'npm run build && node --test',
    },
    gantry: {
      manifestVersion: 1,
      id,
      displayName,
      contributes: {
        itemTypes: itemType === undefined ? [] : [itemType.toLowerCase()],
        taskQueues: service ? [id] : [],
        routes: [
          ...(routes ? [`GET /${id}/${itemType === undefined ? 'greeting' : 'latest'}`] : []),
          ...(service ? [`POST /${id}/greetings`] : []),
        ],
      },
      ...(pages
        ? { ui: { apiVersion: 1, entry: './dist/ui/index.js', pages: [{ path: '', title: displayName }] } }
        : {}),
    },
    ...(routes || service ? { dependencies: { zod: '^4.6.7' } } : {}),
    peerDependencies: {
      '@gantry/plugin-api': range,
      ...(service ? { '@temporalio/client': temporalRange, '@temporalio/workflow': temporalRange } : {}),
    },
    devDependencies: {
      '@gantry/cli': range,
      '@gantry/plugin-api': range,
      // Pages to try the plugin in; a project has them.
      ...(inProject ? {} : { '@gantry/plugin-admin-ui': range }),
      ...(pages ? { '@gantry/ui': range, '@types/react': '^19.3.0', vite: '^8.3.8' } : {}),
      ...(service
        ? {
            '@temporalio/client': temporalRange,
            '@temporalio/worker': temporalRange,
            '@temporalio/workflow': temporalRange,
          }
        : {}),
      '@types/node': '^20.19.0',
      typescript: '^7.0.2',
    },
  });
}

export function tsconfigJson(): string {
  return json({
    compilerOptions: {
      target: 'es2022',
      module: 'node16',
      strict: true,
      skipLibCheck: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      esModuleInterop: true,
      declaration: true,
      sourceMap: true,
      inlineSources: true,
      types: ['node'],
      rootDir: 'src',
      outDir: 'dist',
    },
    include: ['src'],
  });
}
