import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { launchBrowser, type TestBrowser } from '../../../../test/support/browser';
import { compileHostRoute } from '../../src/exchange/host-routes';
import { typeRoutes } from '../../src/items/type-routes';
import { createOpenApiDocument } from '../../src/openapi/create-openapi-document';
import { docsPage } from '../../src/openapi/docs-page';
import { sampleTypes } from './sample-types';

const screenshot = process.env['GANTRY_TEST_SCREENSHOTS'];

describe('docsPage', () => {
  const page = docsPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  let server: Server;
  let browser: TestBrowser;
  let tab: Page;

  beforeAll(async () => {
    server = await serve();
    browser = await launchBrowser();
    tab = await browser.context.newPage();
    tab.on('request', (request) => requested.push(request.url()));
    tab.on('console', (message) => complaints.push(message.text()));
    tab.on('pageerror', (error) => complaints.push(error.message));
  });

  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('allows neither inline scripts nor anything from another origin', () => {
    expect(page.csp).not.toMatch(/unsafe|https?:|\*/);
    expect(page.csp).toContain("default-src 'none'");
  });

  test('shows the operations of the document in a browser that enforces the policy', async () => {
    await tab.goto(`${address(server)}/api/docs`);
    tab.setDefaultTimeout(120_000);
    await tab.locator('.opblock-tag', { hasText: 'plugin workshop' }).click();
    await tab.locator('#operations-plugin_workshop-createMachine .opblock-summary').click();
    await tab.getByText('"M-1"').first().waitFor();
    if (screenshot !== undefined) await tab.screenshot({ path: `${screenshot}/docs-page.png`, fullPage: true });

    expect(complaints).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(address(server)) && !url.startsWith('data:'))).toEqual([]);
  });

  async function serve(): Promise<Server> {
    const document = JSON.stringify(
      createOpenApiDocument({
        types: sampleTypes,
        routes: typeRoutes.map(compileHostRoute),
        version: '1.0.0',
        bodyLimit: 1024,
      }),
    );
    const files = new Map([
      ...page.files,
      ['/api/openapi.json', { contentType: 'application/json', body: Buffer.from(document) }],
    ]);
    const started = createServer((request, response) => {
      const file = files.get(request.url ?? '');
      if (file === undefined) return response.writeHead(404).end();
      return response
        .writeHead(200, {
          'content-type': file.contentType,
          'content-security-policy': page.csp,
          'x-content-type-options': 'nosniff',
        })
        .end(file.body);
    });
    await new Promise<void>((resolve) => {
      started.listen(0, '127.0.0.1', resolve);
    });
    return started;
  }
});

function address(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
