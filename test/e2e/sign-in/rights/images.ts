import { eventually } from '../../../support/eventually';
import { plainPng } from '../../../support/plain-png';
import type { TestHost } from '../../../support/platform';
import { send, type Answer, type Sending } from '../../../support/rest-client';
import { createPerson, fromPage, sendAs } from '../support/accounts';

const article = { plugin: 'articles', type: 'article' };
const product = { plugin: 'catalog', type: 'product' };
const own = { field: 'createdBy', operator: 'EQUALS', value: '$user.id' };
const unknown = `/media/${'0'.repeat(64)}.png`;

/** Only these differ between two answers to the same request. */
const changing = ['date', 'x-request-id'];

/** On a host with the content plugins, media and scans, as an administrator. */
export function testImages(host: TestHost, administrator: () => string): void {
  const images = { article: '', bobs: '', eves: '', unused: '', shared: '' };
  let ann = '';
  let catalog = 0;
  let bob = '';
  let eve = '';
  let ted = '';

  beforeAll(async () => {
    ann = administrator();
    catalog = (await create(ann, 'catalog', { code: 'images' })).json.data.id as number;
    await createRole({
      name: 'own-images',
      grants: [
        { on: product, actions: ['read', 'create', 'update'], where: [own] },
        { on: { plugin: 'catalog', type: 'catalog' }, actions: ['read'] },
      ],
      permissions: ['media.upload'],
    });
    await createRole({
      name: 'titles',
      grants: [{ on: article, actions: ['read', 'update'], readableFields: ['title', 'slug'] }],
    });
    await createRole({ name: 'title-uploader', grants: [], permissions: ['media.upload'] });
    const onPapers = { on: { plugin: 'scans', type: 'paper' }, actions: ['read', 'create'], where: [own] };
    await createRole({ name: 'own-papers', grants: [onPapers] });
    bob = await createPerson(host.address, ann, 'bob.images@example.com', ['own-images', 'own-papers']);
    eve = await createPerson(host.address, ann, 'eve.images@example.com', ['own-images', 'own-papers']);
    ted = await createPerson(host.address, ann, 'ted.images@example.com', ['titles', 'title-uploader']);
    images.article = await upload(ann, 10);
    images.bobs = await upload(ann, 11);
    images.eves = await upload(eve, 12);
    images.unused = await upload(ann, 13);
    images.shared = await upload(ann, 14);
    await create(ann, 'article', { title: 'Tools', slug: 'tools', image: images.article });
    await createProduct(bob, 'IMAGE-B-1', images.bobs);
    await createProduct(eve, 'IMAGE-E-1', images.eves);
    await createProduct(eve, 'IMAGE-E-2', images.shared);
    await createProduct(ann, 'IMAGE-A-1', `${images.shared}?width=320`);
  });

  it('are shown to those who may read a field of an item that has them', async () => {
    const names = ['article', 'bobs', 'eves', 'shared'] as const;
    const shown = async (session: string) => Promise.all(names.map((name) => statusOf(session, images[name])));
    expect(await shown(ann)).toEqual([200, 200, 200, 200]);
    expect(await shown(bob)).toEqual([404, 200, 404, 404]);
    expect(await shown(eve)).toEqual([404, 404, 200, 200]);
    expect(await shown(ted)).toEqual([404, 404, 404, 404]);
  });

  it.each([
    ['GET', '', {}],
    ['HEAD', '', {}],
    ['GET', '?width=64', {}],
    ['HEAD', '?width=640', {}],
    ['GET', '?width=65', {}],
    ['GET', '?width=64&width=64', {}],
    ['GET', '', { range: 'bytes=0-10' }],
    ['GET', '', { 'if-none-match': '<etag>' }],
    ['GET', '?width=64', { 'if-none-match': '<etag-64>' }],
    ['GET', '', { 'if-modified-since': 'Wed, 21 Oct 2037 07:28:00 GMT' }],
    ['POST', '', {}],
    ['PUT', '', {}],
    ['DELETE', '', {}],
    ['OPTIONS', '', {}],
    ['GET', '/', {}],
    ['GET', '/x', {}],
  ])('that are hidden are answered as unknown ones: %s %s %j', async (method, rest, headers) => {
    for (const session of [bob, ted]) {
      const [hidden, none] = await Promise.all([
        ask(session, method, images.article, rest, headers),
        ask(session, method, unknown, rest, headers),
      ]);
      expect(hidden).toEqual(none);
      expect(hidden).toEqual({ ...hidden, status: expect.not.stringMatching(/^(2|304)/) });
    }
  });

  it('that no item has are shown to those who upload images', async () => {
    await createRole({ name: 'reads-all', grants: [{ on: 'content', actions: ['read'] }] });
    const reader = await createPerson(host.address, ann, 'reader.images@example.com', ['reads-all']);
    expect(await statusOf(bob, images.unused)).toBe(200);
    expect(await statusOf(ted, images.unused)).toBe(200);
    expect(await statusOf(bob, `${images.unused}?width=64`)).toBe(200);
    expect(await statusOf(reader, images.unused)).toBe(404);
    expect(await statusOf(reader, images.article)).toBe(200);
  });

  it('that an item has which is hidden are shown to a user who has uploaded the same', async () => {
    expect(await statusOf(ted, images.eves)).toBe(404);
    expect(await upload(ted, 12)).toBe(images.eves);
    expect(await statusOf(ted, `${images.eves}?width=64`)).toBe(200);
    expect(await statusOf(bob, images.eves)).toBe(404);
  });

  it('are shown as files are: to those who may read a field that has them, and before that to who sent them', async () => {
    const path = await uploadFile(bob, 'secret.txt', 'of bob');
    expect([await statusOf(bob, path), await statusOf(eve, path), await statusOf(ann, path)]).toEqual([200, 404, 200]);
    await create(bob, 'paper', { name: 'bobs', attachment: path });
    expect([await statusOf(bob, path), await statusOf(eve, path), await statusOf(ted, path)]).toEqual([200, 404, 404]);
    // No other name of the same bytes leads to them, with the right to see images that no item has.
    expect(await statusOf(eve, path.replace('secret', 'other'))).toBe(404);
    expect(await statusOf(eve, `/media/${path.split('/')[3]}.file`)).toBe(404);
    expect(await uploadFile(eve, 'own.txt', 'of bob')).toBe(path.replace('secret', 'own'));
    expect(await statusOf(eve, path)).toBe(404);
    const refused = await send(host.address, '/media/files?name=a.txt', {
      method: 'POST',
      headers: {
        ...fromPage(host.address, await createPerson(host.address, ann, 'kim.images@example.com', ['titles'])),
        'content-type': 'application/octet-stream',
      },
      body: 'x',
    });
    expect(refused.status).toBe(403);
  });

  it('need a credential while the role public shows nothing', async () => {
    for (const path of [images.article, unknown, '/media/', '/media/images']) {
      expect((await send(host.address, path)).status).toBe(401);
    }
  });

  it('are shown to requests without a credential by the role public', async () => {
    const grants = [{ on: article, actions: ['read'], readableFields: ['title', 'image'] }];
    expect((await sendAs(host.address, ann, 'PUT', '/api/platform/roles/public', { grants })).status).toBe(200);
    const shown = await send(host.address, `${images.article}?width=64`);
    expect([shown.status, shown.headers['cache-control']]).toEqual([200, 'private, max-age=31536000, immutable']);
    const none = await ask(undefined, 'GET', unknown, '', {});
    expect(none.status).toBe('404');
    for (const path of [images.bobs, images.unused]) expect(await ask(undefined, 'GET', path, '', {})).toEqual(none);
    expect((await send(host.address, images.article, { method: 'POST' })).status).toBe(401);
    expect((await send(host.address, '/media/images')).status).toBe(405);
    expect((await send(host.address, '/MEDIA/x')).status).toBe(401);

    const hidden = [{ on: article, actions: ['read'], readableFields: ['title'] }];
    await sendAs(host.address, ann, 'PUT', '/api/platform/roles/public', { grants: hidden });
    expect((await send(host.address, images.article)).status).toBe(404);
    await sendAs(host.address, ann, 'DELETE', '/api/platform/roles/public', {});
    expect((await send(host.address, images.article)).status).toBe(401);
  });

  it('are shown to a program by the roles of its token, and to an administrator by the roles that are tried out', async () => {
    const roles = ['titles', 'reader'];
    const service = { kind: 'service', login: 'web-site', roles };
    const { json } = await sendAs(host.address, ann, 'POST', '/api/platform/users', service);
    const token = async (limits: object): Promise<number> => {
      const path = `/api/platform/users/${json.data.id}/tokens`;
      const made = await sendAs(host.address, ann, 'POST', path, { name: 'site', ...limits });
      const headers = { authorization: `Bearer ${made.json.data.token}` };
      return (await send(host.address, images.article, { headers })).status;
    };
    expect([await token({}), await token({ roles: ['reader'] }), await token({ roles: ['titles'] })]).toEqual([
      200, 200, 404,
    ]);

    const viewAs = async (name: string): Promise<number> => {
      const answer = await sendAs(host.address, ann, 'PUT', '/api/platform/view-as', { roles: [name] });
      const [cookie = ''] = answer.headers['set-cookie']?.[0]?.split(';') ?? [];
      return statusOf(`${ann}; ${cookie}`, images.article);
    };
    expect([await viewAs('reader'), await viewAs('titles')]).toEqual([200, 404]);
  });

  it('are hidden soon after their item has changed, and at once after the role has', async () => {
    const created = await createProduct(bob, 'IMAGE-B-2', await upload(ann, 20));
    const { image } = created.json.data.values as { readonly image: string };
    expect(await statusOf(bob, image)).toBe(200);
    await createProduct(eve, 'IMAGE-E-3', image);
    await sendAs(host.address, bob, 'PATCH', `/api/cms/items/product/${created.json.data.id}`, { image: null });
    await eventually(async () => (await statusOf(bob, image)) === 404, 'the image is hidden');

    expect(await statusOf(bob, images.bobs)).toBe(200);
    const grants = [{ on: product, actions: ['read'], readableFields: ['code'] }];
    const role = { grants, permissions: ['media.upload'] };
    expect((await sendAs(host.address, ann, 'PUT', '/api/platform/roles/own-images', role)).status).toBe(200);
    expect(await statusOf(bob, images.bobs)).toBe(404);
  });

  function statusOf(session: string, path: string): Promise<number> {
    return send(host.address, path, { headers: { cookie: session } }).then(({ status }) => status);
  }

  async function ask(
    session: string | undefined,
    method: string,
    path: string,
    rest: string,
    headers: Sending['headers'],
  ) {
    const hash = path.slice(7, 71);
    const sent = JSON.parse(
      JSON.stringify(headers).replace('<etag>', `\\"${hash}\\"`).replace('<etag-64>', `\\"${hash}-64\\"`),
    ) as Readonly<Record<string, string>>;
    const answer = await send(host.address, path + rest, {
      method,
      headers: { ...(session === undefined ? {} : fromPage(host.address, session)), ...sent },
    });
    const kept = Object.entries(answer.headers).filter(([name]) => !changing.includes(name));
    const { error } = answer.json ?? {};
    return {
      status: String(answer.status),
      headers: Object.fromEntries(kept),
      body: answer.text.replaceAll(hash, '<hash>').replaceAll(String(error?.requestId), '<request>'),
    };
  }

  async function upload(session: string, width: number): Promise<string> {
    const answer = await send(host.address, '/media/images', {
      method: 'POST',
      headers: { ...fromPage(host.address, session), 'content-type': 'image/png' },
      body: plainPng(width, 8),
    });
    return String(answer.json.data.url);
  }

  async function uploadFile(session: string, name: string, body: string): Promise<string> {
    const headers = { ...fromPage(host.address, session), 'content-type': 'application/octet-stream' };
    const answer = await send(host.address, `/media/files?name=${name}`, { method: 'POST', headers, body });
    return String(answer.json.data.url);
  }

  async function create(session: string, type: string, values: object): Promise<Answer> {
    const answer = await sendAs(host.address, session, 'POST', `/api/cms/items/${type}`, values);
    if (answer.json.error !== undefined) throw new Error(answer.text);
    return answer;
  }

  function createProduct(session: string, code: string, image: string): Promise<Answer> {
    return create(session, 'product', { code, name: 'Tent', price: 10, catalog, image });
  }

  async function createRole(role: object): Promise<void> {
    const answer = await sendAs(host.address, ann, 'POST', '/api/platform/roles', role);
    if (answer.json.error !== undefined) throw new Error(answer.text);
  }
}
