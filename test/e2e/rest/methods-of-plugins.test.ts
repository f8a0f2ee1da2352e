import { contentPlugins, useTestHost } from '../../support/platform';
import { send } from '../../support/rest-client';

const host = useTestHost({
  plugins: [...contentPlugins, 'test/samples/recipes', 'test/e2e/rest/fixtures/workbench'],
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

  it.each(paths)('of %s are told by OPTIONS: "%s"', async (path, allow) => {
    const answer = await send(host.address, path, { method: 'OPTIONS' });

    expect([answer.status, answer.text, answer.headers.allow]).toEqual([204, '', allow]);
  });
});
