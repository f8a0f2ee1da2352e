import { json, type Files } from '../write-files';
import type { Plugin } from './plugin';

export function uiFiles(plugin: Plugin): Files {
  return {
    'vite.config.mjs': "import { gantryUi } from '@gantry/ui/vite';\n\nexport default { plugins: [gantryUi()] };\n",
    'ui/tsconfig.json': json({
      compilerOptions: {
        target: 'es2022',
        lib: ['es2023', 'dom'],
        module: 'esnext',
        moduleResolution: 'bundler',
        jsx: 'react-jsx',
        types: [],
        strict: true,
        skipLibCheck: true,
        noEmit: true,
      },
      include: ['.'],
    }),
    'ui/index.tsx': `import { defineUi } from '@gantry/ui';
import { StartPage } from './start-page';

export default defineUi(() => ({ pages: { '': () => <StartPage /> } }));
`,
    'ui/start-page.tsx': plugin.itemType === undefined ? textPage(plugin) : itemPage(plugin, plugin.itemType),
  };
}

function textPage({ displayName }: Plugin): string {
  return `import { Page, Text } from '@gantry/ui';

export function StartPage() {
  return (
    <Page title="${displayName}">
      <Text>This page comes from ui/start-page.tsx.</Text>
    </Page>
  );
}
`;
}

function itemPage({ displayName }: Plugin, itemType: string): string {
  const type = itemType.toLowerCase();
  return `import { Card, Empty, Grid, Link, Loading, Page, Problem, useItems } from '@gantry/ui';

/** The latest items as cards. */
export function StartPage() {
  const { value, error, reload } = useItems('${type}', { sort: '-id', limit: 20 });
  return (
    <Page title="${displayName}">
      {error && <Problem title="The items could not be read" error={error} onRetry={reload} />}
      {value === undefined && !error && <Loading />}
      {value?.items.length === 0 && (
        <Empty title="Nothing yet">
          <Link to="/content/${type}/new">Create the first one</Link>
        </Empty>
      )}
      <Grid>
        {value?.items.map(({ id, values }) => (
          <Card key={id} title={String(values['name'])}>
            <Link to={\`/content/${type}/\${id}\`}>Edit {String(values['name'])}</Link>
          </Card>
        ))}
      </Grid>
    </Page>
  );
}
`;
}
