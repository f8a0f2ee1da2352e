import { pageOf, type UiPlugins } from '../support/ui-plugins';

export const onePage = { pages: [{ path: '', title: 'Its page' }] };
export const sound = `export default defineUi(() => ({ pages: { '': ${pageOf('Its page', 'All is well')} } }));`;

export const brokenPlugins = [
  'sound',
  'throws',
  'breaks-at-set-up',
  'never-loads',
  'imports-unknown',
  'no-definition',
  'differs',
  'newer',
  'not-built',
  'slots',
  'asleep',
  'fails',
  'own-react',
];

/** Writes them, and builds the one with its own React. */
export async function writeBrokenPlugins(plugins: UiPlugins): Promise<void> {
  plugins.write('sound', { displayName: 'Sound', ui: onePage, module: sound });
  plugins.write('throws', {
    displayName: 'Throws',
    ui: onePage,
    module: `export default defineUi(() => ({ pages: { '': () => { throw new Error('No paper in the drawer'); } } }));`,
  });
  plugins.write('breaks-at-set-up', {
    displayName: 'Breaks at set-up',
    ui: onePage,
    module: `export default defineUi(() => { throw new Error('No drawer'); });`,
  });
  plugins.write('never-loads', { displayName: 'Never loads', ui: onePage, module: 'await new Promise(() => {});' });
  plugins.write('imports-unknown', { displayName: 'Imports', ui: onePage, module: `import 'left-pad';${sound}` });
  plugins.write('no-definition', {
    displayName: 'No definition',
    ui: onePage,
    module: 'export default { pages: {} };',
  });
  plugins.write('differs', {
    displayName: 'Differs',
    ui: { pages: [...onePage.pages, { path: 'more', title: 'More' }], cells: ['catalog.code'] },
    module: sound,
  });
  plugins.write('newer', { displayName: 'Newer', ui: { apiVersion: 9, panels: [] }, module: sound });
  plugins.write('not-built', { displayName: 'Not built', ui: { ...onePage, entry: './built/index.js' }, module: '' });
  plugins.write('slots', {
    displayName: 'Slots',
    ui: {
      fields: ['catalog.name'],
      cells: ['catalog.name'],
      itemActions: [{ type: 'catalog', name: 'sell', title: 'Sell it' }],
    },
    module: `const fail = () => { throw new Error('Out of ink'); };
      export default defineUi(() => ({
        fields: { 'catalog.name': fail }, cells: { 'catalog.name': fail },
        itemActions: { catalog: { sell: async () => fail() } },
      }));`,
  });
  plugins.write('asleep', { displayName: 'Asleep', ui: onePage, module: sound });
  plugins.write('fails', {
    displayName: 'Fails',
    ui: onePage,
    module: sound,
    definition: 'start() { throw new Error("no"); }',
  });
  plugins.write('own-react', {
    displayName: 'Own React',
    ui: onePage,
    module: '',
    files: {
      'source.js': `import { useState } from 'react'; import { jsx } from 'react/jsx-runtime';
        import { defineUi, Page } from '@gantry/ui';
        const Counter = () => jsx(Page, { title: 'Count', children: useState(1)[0] });
        export default defineUi(() => ({ pages: { '': Counter } }));`,
    },
  });
  await plugins.build(
    'own-react',
    `export default { build: { outDir: 'pages', lib: { entry: 'source.js', formats: ['es'], fileName: () => 'index.js' },
       rolldownOptions: { external: ['@gantry/ui'] } }, define: { 'process.env.NODE_ENV': '"production"' } };`,
  );
}
