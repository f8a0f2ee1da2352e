import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useTestHost } from '../../support/platform';
import { brokenPlugins, writeBrokenPlugins } from './plugin-pages/broken-plugins';
import { testBuiltPlugin } from './plugin-pages/built-plugin';
import { testChangedPlugins } from './plugin-pages/changed-plugins';
import { testFilesOfPages } from './plugin-pages/files-of-pages';
import { testBrokenPlugins } from './plugin-pages/in-trouble';
import { adminPlugins } from './support/content';
import { useAdminTab } from './support/open-pages';
import { createUiPlugins } from './support/ui-plugins';

const project = join(__dirname, '..', '..', '..');
const sample = join(project, 'test/samples/paints');
const plugins = createUiPlugins();

beforeAll(async () => {
  cpSync(sample, join(project, plugins.pathOf('paints')), { recursive: true });
  // Its types are checked where the documentation is followed (test/e2e/writing-plugin-pages.test.ts).
  await plugins.build('paints', readFileSync(join(sample, 'vite.config.mjs'), 'utf8'));
  await writeBrokenPlugins(plugins);
});
afterAll(() => plugins.remove());

const host = useTestHost({
  plugins: [...adminPlugins, ...['paints', ...brokenPlugins].map(plugins.pathOf)],
  disabled: ['asleep'],
});
const tab = useAdminTab(() => host.address);

describe('a plugin that was built apart from the platform', () => testBuiltPlugin(host, tab));
describe('a plugin that is broken', () => testBrokenPlugins(host, tab, plugins));
describe('the files of a plugin’s pages', () => testFilesOfPages(host));
describe('of plugins that change while their pages are open,', () => testChangedPlugins(tab, plugins));
