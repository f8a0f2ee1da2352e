import type { PluginReport } from '@gantry/contracts';
import type { Hold } from '@gantry/core-common';
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
  it('names the address of the admin pages', () => {
    const text = bannerOf([
      plugin('pages', 'started', ['GET /admin/*']),
      plugin('images', 'started', ['GET /media/*']),
    ]);

    expect(text).toMatch(/^ {2}Admin pages +http:\/\/127\.0\.0\.1:3000\/admin$/m);
    expect(text).not.toContain('/media');
  });

  it('names no admin pages that nobody serves', () => {
    expect(bannerOf([plugin('pages', 'failed', ['GET /admin/*'])])).not.toContain('Admin pages');
  });
});

describe('the banner of a home on hold', () => {
  it('says so first, with the way to end it', () => {
    const text = bannerOf([], { since: '2026-01-31T00:00:00.000Z', reason: 'restored from a backup' });

    expect(text).toMatch(
      /^ {2}On hold +No worker has run .* \(restored from a backup\)\. To end the hold: gantry resume$/m,
    );
  });
});

function bannerOf(plugins: readonly PluginReport[], hold?: Hold): string {
  return renderBanner({
    address: 'http://127.0.0.1:3000',
    report: { plugins, schemaDifferences: [], readyAfter: 1 },
    types: [],
    home: '/home/.gantry',
    logFile: '/home/.gantry/logs/host.log',
    servers: [],
    hold,
    startedInMs: 1,
    folder: '/home',
    colour: false,
  });
}
