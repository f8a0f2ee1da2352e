import type { PluginReport } from '@gantry/contracts';
import { renderBanner } from '../src/terminal/banner';

const plugin = (id: string, state: PluginReport['state'], routes: readonly string[]): PluginReport => ({
  id,
  displayName: id,
  packageName: `@acme/${id}`,
  version: '1.0.0',
  folder: `/plugins/${id}`,
  state,
  phase: 'start',
  problems: [],
  dependsOn: {},
  contributes: { itemTypes: [], taskQueues: [], routes },
  timings: {},
});

describe('the banner', () => {
  it('names the address of the pages that plugins in use serve, and of no others', () => {
    const text = bannerOf([
      plugin('pages', 'started', ['GET /admin/*', 'GET /files/:name']),
      plugin('broken', 'failed', ['GET /broken/*']),
    ]);

    expect(text).toMatch(/^ {2}Pages +http:\/\/127\.0\.0\.1:3000\/admin$/m);
    expect(text).not.toMatch(/\/broken|\/files/);
  });

  it('has no line for pages when nobody serves any', () => {
    expect(bannerOf([plugin('catalog', 'started', [])])).not.toContain('Pages');
  });
});

function bannerOf(plugins: readonly PluginReport[]): string {
  return renderBanner({
    address: 'http://127.0.0.1:3000',
    report: { plugins, schemaDifferences: [], readyAfter: 1 },
    types: [],
    home: '/home/.gantry',
    logFile: '/home/.gantry/logs/host.log',
    servers: [],
    startedInMs: 1,
    folder: '/home',
    colour: false,
  });
}
