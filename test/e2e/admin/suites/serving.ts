import { gzipSync } from 'node:zlib';
import type { TestHost } from '../../../support/platform';
import { send, sendJson } from '../../../support/rest-client';

export function describeServing(host: TestHost): void {
  /** The entry script and all that it imports before it runs. */
  async function firstScripts(): Promise<readonly string[]> {
    const { text } = await send(host.address, '/admin/');
    return [...text.matchAll(/(?:src|href)="(\/admin\/assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? '');
  }

  describe('the plugin that serves the admin pages', () => {
    it('answers every route of the application with its page, under a strict policy with a separate nonce', async () => {
      const answers = await Promise.all(
        ['/admin', '/admin/', '/admin/content/product/7'].map((path) => send(host.address, path)),
      );

      for (const answer of answers) {
        const policy = String(answer.headers['content-security-policy']);
        expect(answer.status).toBe(200);
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
        expect(answer.headers['cache-control']).toBe('no-store');
        expect(policy).toMatch(
          /^default-src 'none'; script-src 'self' 'sha256-[A-Za-z0-9+/]{43}='; style-src 'self' 'nonce-[^']+';/,
        );
        expect(policy).not.toContain('unsafe');
        expect(policy).toContain("; img-src 'self'; ");
        expect(answer.text).toContain(/'nonce-([^']+)'/.exec(policy)?.[1]);
      }
      expect(new Set(answers.map((answer) => answer.headers['content-security-policy'])).size).toBe(answers.length);
    });

    it('serves hashed files as immutable, compressed as the client accepts', async () => {
      const [script = ''] = await firstScripts();
      const [plain, gzip, brotli] = await Promise.all(
        ['identity', 'gzip', 'gzip, br'].map((accepted) =>
          send(host.address, script, { headers: { 'accept-encoding': accepted } }),
        ),
      );

      expect(plain?.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(plain?.headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(plain?.headers['content-encoding']).toBeUndefined();
      expect(gzip?.headers['content-encoding']).toBe('gzip');
      expect(brotli?.headers['content-encoding']).toBe('br');
    });

    it('needs at most 260 kB of compressed script for the first page', async () => {
      const scripts = await firstScripts();
      const sizes = await Promise.all(
        scripts.map(async (path) => {
          const answer = await fetch(`${host.address}${path}`, { headers: { 'accept-encoding': 'identity' } });
          return gzipSync(Buffer.from(await answer.arrayBuffer()), { level: 9 }).length;
        }),
      );

      expect(scripts.length).toBeGreaterThan(0);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(260_000);
    });

    it('names in the page of an item the scripts that it is about to load', async () => {
      const { text } = await send(host.address, '/admin/content/product/7');
      const named = [...text.matchAll(/<link rel="modulepreload"[^>]* href="([^"]+)"/g)].map(([, path]) => path ?? '');
      expect(named.filter((path) => /\/(item|controls)-/.test(path))).toHaveLength(2);
      const answers = await Promise.all(named.map((path) => send(host.address, path)));
      expect(answers.map(({ status }) => status)).toEqual(named.map(() => 200));
      expect((await send(host.address, '/admin/content/product')).text).not.toMatch(/assets\/(item|controls)-/);
    });

    it('brings with a page what it would have to ask for', async () => {
      const stored = await sendJson(host.address, 'PUT', '/admin/api/preferences/list.event', {
        version: null,
        value: { views: [{ id: 'v', name: '</script><img src="x">', parameters: '' }] },
      });
      const { text } = await send(host.address, '/admin/content/product');

      const initialData = JSON.parse(/id="initial-data">([^<]*)</.exec(text)?.[1] ?? '') as Readonly<
        Record<string, unknown>
      >;
      expect(initialData['types']).toEqual((await send(host.address, '/api/cms/items/types')).json.data);
      expect(initialData['metadata']).toEqual((await send(host.address, '/api/cms/items/product/metadata')).json.data);
      expect(initialData['preferences']).toEqual([stored.json.data]);
    });

    it('finds no file of another version, and nothing outside its folder', async () => {
      const answers = await Promise.all(
        ['/admin/assets/index-00000000.js', '/admin/assets/../../index.js', '/admin/assets/%2e%2e/%2e%2e/index.js'].map(
          (path) => send(host.address, path),
        ),
      );

      expect(answers.map(({ status }) => status)).toEqual([404, expect.any(Number), expect.any(Number)]);
      expect(answers.some(({ text }) => text.includes('definePlugin'))).toBe(false);
    });

    // Without the pages, the root is not found (test/e2e/rest/suites/endpoints.ts).
    it('leads from the root to the pages', async () => {
      const answer = await send(host.address, '/');
      expect([answer.status, answer.headers.location]).toEqual([302, '/admin/']);
    });
  });
}
