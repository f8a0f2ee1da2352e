import { createPlatformCaller } from '../src/platform';

const sent: unknown[] = [];
const call = createPlatformCaller<string | undefined>(async (...request) => {
  sent.push(request);
  return { data: [] };
});

describe('the caller of a platform', () => {
  beforeEach(() => sent.splice(0));

  it('fills in the path and the query', async () => {
    await call('GET', '/api/platform/webhooks/{id}/deliveries', { path: { id: 'a/b' }, query: { limit: 5 } });

    expect(sent).toEqual([['GET', '/api/platform/webhooks/a%2Fb/deliveries?limit=5', undefined, undefined]]);
  });

  it('gives the body and what the sender needs besides', async () => {
    const body = { name: 'Search', url: 'https://example.com/' };

    await call('POST', '/api/platform/webhooks', { body }, 'token');

    expect(sent).toEqual([['POST', '/api/platform/webhooks', body, 'token']]);
  });
});
