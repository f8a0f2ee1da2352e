import { contentPlugins, useTestHost } from '../../support/platform';
import { send } from '../../support/rest-client';

const host = useTestHost({
  plugins: [...contentPlugins, 'test/samples/recipes', 'test/e2e/rest/fixtures/workbench', 'services/payment'],
});

describe('methods', () => {
  const paths = [
    // The route of a plugin.
    ['/recipes/quickest', 'GET, HEAD'],
    // A type that is only read.
    ['/api/cms/items/ledger/1', 'GET, HEAD'],
    ['/api/cms/items/ledger', ''],
  ] as const;

  it.each(paths)('of %s that are not offered answer 405 with Allow: "%s"', async (path, allow) => {
    const others = ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];
    const answers = await Promise.all(others.map((method) => send(host.address, path, { method })));

    expect(answers.map(({ status, headers }) => [status, headers.allow])).toEqual(others.map(() => [405, allow]));
  });

  it.each(paths)('of %s are the answer to OPTIONS: "%s"', async (path, allow) => {
    const answer = await send(host.address, path, { method: 'OPTIONS' });

    expect([answer.status, answer.text, answer.headers.allow]).toEqual([204, '', allow]);
  });
});

describe('a route of a plugin that takes no body', () => {
  const path = '/payment?orderId=';

  it.each([
    ['application/x-www-form-urlencoded', 'a=1', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['text/plain', 'a', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/json', '{', 400, 'BAD_REQUEST'],
  ])('refuses one of %s as every other write does: %j', async (type, body, status, code) => {
    const answer = await send(host.address, path, { method: 'POST', headers: { 'content-type': type }, body });

    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });

  it.each([{}, { headers: { 'content-type': 'application/json' }, body: '{}' }])(
    'continues with %j',
    async (request) => {
      const { json } = await send(host.address, path, { method: 'POST', ...request });

      expect(json.error.message).toMatch(/^orderId is empty/);
    },
  );
});
