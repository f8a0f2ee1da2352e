import type { TestHost } from '../../../support/platform';
import { send } from '../../../support/rest-client';

/** On a host with the broken plugins, of which asleep is disabled. */
export function testFilesOfPages(host: TestHost): void {
  const addressOf = async (id: string): Promise<string> => {
    const { text } = await send(host.address, '/api/platform/plugins');
    const report = JSON.parse(text) as { data: { plugins: { id: string; ui?: { address?: string } }[] } };
    return report.data.plugins.find((plugin) => plugin.id === id)?.ui?.address ?? '';
  };

  it('are served as what they are, for good at the address with their hash', async () => {
    const answer = await send(host.address, await addressOf('sound'));

    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await send(host.address, '/plugins/sound/1.0.0/ui/index.js')).headers['cache-control']).toBe('no-cache');
  });

  it.each([
    ['another version', '/plugins/sound/1.0.1/ui/index.js', 404],
    ['a hash of another time', '/plugins/sound/1.0.0-000000000000/ui/index.js', 404],
    ['a file that is not there', '/plugins/sound/1.0.0/ui/more.js', 404],
    ['the folder itself', '/plugins/sound/1.0.0/ui/', 404],
    ['a file above the folder', '/plugins/sound/1.0.0/ui/%2e%2e/package.json', 404],
    ['a file above it, twice encoded', '/plugins/sound/1.0.0/ui/%252e%252e/package.json', 404],
    ['a file above it, with a slash in a segment', '/plugins/sound/1.0.0/ui/..%2fpackage.json', 404],
    ['a name of every object', '/plugins/sound/1.0.0/ui/__proto__', 404],
    ['a plugin that is disabled', '/plugins/asleep/1.0.0/ui/index.js', 404],
    ['a plugin that is not there', '/plugins/nobody/1.0.0/ui/index.js', 404],
    ['a plugin that failed', '/plugins/fails/1.0.0/ui/index.js', 503],
  ])('are not found at %s', async (_what, path, status) => {
    const answer = await send(host.address, path);

    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('gantry-plugin');
  });

  it('are only read', async () => {
    const answer = await send(host.address, '/plugins/sound/1.0.0/ui/index.js', { method: 'POST' });

    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
}
