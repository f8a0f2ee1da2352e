import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { TestHost } from '../../../support/platform';
import { send, sendJson } from '../../../support/rest-client';
import { cookieOf, createUsers, fromPage, password, signIn, untilSignInIsRequired, useLink } from '../support/accounts';

const ann = 'ann@example.com';

interface SlowRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly type?: string;
}

const newArticle: SlowRequest = {
  method: 'POST',
  path: '/api/cms/items/article',
  body: JSON.stringify({ title: 'Late', slug: 'late', body: 'x' }),
};

/** On a host with the content plugins that is open. @returns gives the session of the administrator who is created */
export function testSlowBodies(host: TestHost): () => string {
  let ownCookie = '';

  it('is not carried out when sign-in was switched on meanwhile, which needs 5 seconds at most and no restart', async () => {
    const finish = await begin(newArticle, {});
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    await untilSignInIsRequired(host.address);

    await expect(finish()).resolves.toBe(401);
    ownCookie = await useLink(host.address, secret);
    expect(ownCookie).toMatch(/^gantry-/);
    await expect(articles()).resolves.toBe(0);
  });

  it.each([
    newArticle,
    {
      method: 'POST',
      path: '/api/platform/users',
      body: JSON.stringify({ kind: 'service', login: 'late', roles: ['administrator'] }),
    },
    { method: 'POST', path: '/api/platform/account/tokens', body: JSON.stringify({ name: 'late' }) },
    { method: 'POST', path: '/api/platform/plugins/articles/disable', body: '{ }' },
    {
      method: 'PUT',
      path: '/api/platform/account/password',
      body: JSON.stringify({ currentPassword: password, newPassword: 'another pass phrase' }),
    },
    {
      method: 'POST',
      path: '/api/cms/imports/article',
      body: '{"title":"Late","slug":"late","body":"x"}\n',
      type: 'application/x-ndjson',
    },
  ])('$method $path is not carried out when its session has ended meanwhile', async (slow) => {
    const cookie = cookieOf(await signIn(host.address, ann));
    const finish = await begin(slow, fromPage(host.address, cookie));
    await sendJson(host.address, 'DELETE', '/api/platform/session', {}, fromPage(host.address, cookie));

    await expect(finish()).resolves.toBe(401);

    await expect(articles()).resolves.toBe(0);
    const { json } = await send(host.address, '/api/platform/users', { headers: { cookie: ownCookie } });
    expect(json.data).toHaveLength(1);
  });

  return () => ownCookie;

  async function articles(): Promise<number> {
    const headers = fromPage(host.address, ownCookie);
    const { json } = await sendJson(host.address, 'POST', '/api/cms/items/article/list', [], headers);
    return (json.data as readonly unknown[]).length;
  }

  /** Sends the request but for the end of its body. @returns what sends the rest; it resolves to the status of the answer */
  async function begin(
    { method, path, body, type = 'application/json' }: SlowRequest,
    headers: Readonly<Record<string, string>>,
  ): Promise<() => Promise<number>> {
    const slow = httpRequest(`${host.address}${path}`, {
      method,
      headers: {
        'content-type': type,
        'content-length': Buffer.byteLength(body),
        expect: '100-continue',
        ...headers,
      },
    });
    const answered = new Promise<number>((resolve, reject) => {
      slow.once('error', reject).once('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
    });
    slow.flushHeaders();
    // The host has read the head, and therefore acts on it before it ends the session; or it answers without the body.
    await Promise.race([once(slow, 'continue'), answered]);
    slow.write(body.slice(0, 2));
    return () => {
      slow.end(body.slice(2));
      return answered;
    };
  }
}
