import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { referenceOf } from '@gantry/core-common';
import { openBench, type Bench } from '../support/gantry';
import type { Commands } from '../support/commands';

const found = [
  {
    type: 'page',
    displayName: 'Page',
    displayNamePlural: 'Pages',
    items: [{ id: 7, label: 'A part of it', code: 'P-7' }],
    isMore: true,
  },
];

export function describeRunningPlatform(commands: Commands): void {
  describe('gantry items search', () => {
    it('needs a running platform', async () => {
      const bench = await openBench(['plugins/articles'], commands);
      const { code, stderr } = await bench.gantry(['items', 'search', 'a part']);

      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^gantry: No platform runs on .+\n {2}Start it with: gantry up\. .+\n$/),
      ]);
      await bench.close();
    });
  });

  describe('while a platform runs that was started before a plugin was there', () => {
    let bench: Bench;
    let platform: Server;
    beforeAll(async () => {
      bench = await openBench(['plugins/articles'], commands);
      platform = createServer((request, response) => {
        if (request.url === '/api/platform/plugins/lost/enable') {
          request.socket.destroy();
          return;
        }
        if (request.url === '/api/cms/search?q=a+part') {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ data: found }));
          return;
        }
        const isList = request.url === '/api/cms/items/types';
        const message = 'There is no plugin courses; found: pages. See the list: gantry plugins list.';
        response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isList ? { data: [{ type: 'page' }] } : { error: { message } }));
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => platform.once('listening', resolve));
      pretendToRun(bench.home, `http://127.0.0.1:${(platform.address() as AddressInfo).port}`);
    });
    afterAll(async () => {
      platform.close();
      platform.closeAllConnections();
      await bench.close();
    });

    it('gantry types show has a type of the plugin path all the same, and says that the platform does not have it yet', async () => {
      const { code, stdout, stderr } = await bench.gantry(['types', 'show', 'article']);

      expect(stdout).toMatch(/^Article \(article\)\n/);
      expect(stderr).toMatch(/^The platform at http:\/\/\S+ .+ gantry plugins enable\n$/);
      expect(code).toBe(0);
    });

    it('gantry types show names the types of the platform where none is the one that is asked for', async () => {
      const { code, stderr } = await bench.gantry(['types', 'show', 'nothing-alike']);

      expect(stderr).toMatch(/^gantry: .* nothing-alike\.\n {2}.*: page\.\n$/);
      expect(code).toBe(1);
    });

    it('gantry items search lists what the platform finds', async () => {
      const { code, stdout, stderr } = await bench.gantry(['items', 'search', 'a part']);

      expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
        ['TYPE', 'ID', 'CODE', 'LABEL'],
        ['page', '7', 'P-7', 'A part of it'],
        ['page', '…', 'more items'],
        [''],
      ]);
      expect([code, stderr]).toEqual([0, '']);
      expect(JSON.parse((await bench.gantry(['items', 'search', 'a part', '--json'])).stdout)).toEqual({ data: found });
    });

    it('gantry plugins enable says what the platform says, once', async () => {
      const { code, stderr } = await bench.gantry(['plugins', 'enable', 'courses']);

      expect(stderr).toBe('gantry: There is no plugin courses; found: pages. See the list: gantry plugins list.\n');
      expect(code).toBe(1);
    });

    it('gantry plugins enable says that the change may have been made where the connection ends', async () => {
      const { code, stderr } = await bench.gantry(['plugins', 'enable', 'lost']);

      expect(stderr).toMatch(/^gantry: .* http:\/\/\S+ ended the connection /);
      expect(stderr).toContain('whether the change was made');
      expect(code).toBe(1);
    });
  });
}

/** Writes the files of a running platform to the home, with the id of this process. */
function pretendToRun(home: string, address: string): void {
  const launcher = referenceOf(process.pid);
  const content = { launcher, servers: {}, project: home, databaseUrl: '', environment: {}, address, startedAt: '' };
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'run.json'), JSON.stringify(content));
}
