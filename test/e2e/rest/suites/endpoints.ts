import type { TestHost } from '../../../support/platform';
import { itemsOf, send, sendJson } from '../../../support/rest-client';

/** The endpoints of types and of the platform. */
export function describeEndpoints(host: TestHost): void {
  const items = itemsOf(host);

  const specified = [
    'product',
    'article',
    'event',
    'category',
    'promotion',
    'catalog',
    'trendingarticlecomponent',
    'topeventcomponent',
  ];

  describe('the type list', () => {
    it('has every type of the specification, by code and name', async () => {
      const answer = await items.get('types');
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      const types = answer.json.data as readonly { type: string; displayName: string }[];
      expect(types.map(({ type }) => type)).toEqual(expect.arrayContaining(specified));
      expect(types.find(({ type }) => type === 'topeventcomponent')).toEqual({
        type: 'topeventcomponent',
        displayName: 'Top event component',
        displayNamePlural: 'Top events',
        plugin: 'events',
        pluginName: 'Events',
        readOnly: false,
        icon: expect.stringMatching(/^M/) as string,
      });
      expect(Object.keys(answer.json)).toEqual(['data']);
    });
  });

  describe('metadata', () => {
    it('of product is as specified', async () => {
      const { data } = (await items.get('product/metadata')).json;
      expect(data).toMatchObject({ code: 'product', displayName: 'Product' });
      expect(data.columnShown.slice(0, 2)).toEqual([
        { name: 'code', displayName: 'Code', type: 'STRING', order: 0 },
        { name: 'name', displayName: 'Name', type: 'STRING', order: 1 },
      ]);
      const fields = Object.fromEntries(data.fields.map((field: { name: string }) => [field.name, field]));
      expect(fields.code).toMatchObject({
        type: 'STRING',
        required: true,
        editableOnUpdate: true,
        placeholder: 'P-1000',
      });
      expect(fields.price).toMatchObject({ type: 'NUMBER', required: false, numberKind: 'decimal' });
      expect(fields.catalog).toEqual({
        name: 'catalog',
        displayName: 'Catalog',
        type: 'REFERENCE',
        required: true,
        editableOnUpdate: false,
        placeholder: '',
        reference: 'catalog.Catalog',
        referenceCardinality: 'SINGLE',
      });
      expect(fields.approvalStatus).toMatchObject({ options: ['CHECK', 'APPROVED', 'UNAPPROVED'], default: 'CHECK' });
    });

    it('of the other types names their references', async () => {
      const reference = async (type: string, name: string): Promise<unknown> => {
        const { data } = (await items.get(`${type}/metadata`)).json;
        const field = data.fields.find((candidate: { name: string }) => candidate.name === name);
        return [field.type, field.reference, field.referenceCardinality];
      };
      expect(await reference('trendingarticlecomponent', 'articles')).toEqual([
        'REFERENCE',
        'articles.Article',
        'MULTIPLE',
      ]);
      expect(await reference('topeventcomponent', 'event')).toEqual(['REFERENCE', 'events.Event', 'SINGLE']);
      expect(await reference('person', 'boss')).toEqual(['REFERENCE', 'workbench.Person', 'SINGLE']);
    });

    it('for search has only searchable fields, with types in lower case', async () => {
      const names = async (type: string): Promise<unknown> => {
        const { data } = (await items.get(`${type}/search-metadata`)).json;
        expect(Object.keys(data)).toEqual(['fields']);
        return data.fields.map((field: { name: string; type: string }) => `${field.name} ${field.type}`);
      };
      expect(await names('product')).toEqual([
        'code string',
        'name string',
        'price number',
        'approvalStatus string',
        'catalogVersion string',
      ]);
      expect(await names('article')).toEqual(['title string', 'slug string']);
      const { data } = (await items.get('product/metadata')).json;
      expect((await items.get('product/search-metadata')).json.data.fields).toEqual(data.searchable);
    });
  });

  describe('an unknown type', () => {
    it.each([
      'nothing',
      'Product',
      'PRODUCT',
      '__proto__',
      'hasOwnProperty',
      'a b',
      'ünïcode',
      '\u0000',
      "x'--",
      '..',
      'x'.repeat(5_000),
    ])('%j answers the same 404 on every endpoint', async (type) => {
      const path = `/api/cms/items/${encodeURIComponent(type)}`;
      const calls = [
        ['GET', '/metadata'],
        ['GET', '/search-metadata'],
        ['POST', '/list'],
        ['POST', '/search'],
        ['POST', ''],
        ['GET', '/1'],
        ['PATCH', '/1'],
        ['PUT', '/1'],
        ['DELETE', '/1'],
      ] as const;
      for (const [method, end] of calls) {
        const answer =
          method === 'GET' || method === 'DELETE'
            ? await send(host.address, path + end, { method })
            : await sendJson(host.address, method, path + end, '[]');
        expect([method, end, answer.status, answer.json.error.code]).toEqual([method, end, 404, 'TYPE_NOT_FOUND']);
      }
    });
  });

  describe('getting one item', () => {
    it('answers the row with its ETag, and HEAD the same without a body', async () => {
      const id = await items.created('article', { title: 'Ünïcode' });
      const read = await items.get(`article/${id}`);
      expect([read.status, read.headers.etag, read.json.data.id]).toEqual([200, '"1"', id]);
      const head = await send(host.address, `/api/cms/items/article/${id}`, { method: 'HEAD' });
      expect([
        head.status,
        head.text,
        head.headers.etag,
        head.headers['content-length'],
        head.headers['content-type'],
      ]).toEqual([200, '', '"1"', String(Buffer.byteLength(read.text)), 'application/json; charset=utf-8']);
      expect((await send(host.address, '/api/cms/items/article/999999', { method: 'HEAD' })).status).toBe(404);
    });

    it.each(['0', '-1', '01', '1.0', '1e1', '+1', 'abc', '%20', '9223372036854775808', '%D9%A1', '__proto__', 'null'])(
      'of the id %s answers 404',
      async (id) => {
        const answer = await items.get(`article/${id}`);
        expect([answer.status, answer.json.error.code]).toEqual([404, 'ITEM_NOT_FOUND']);
        expect(answer.json.error.message).toMatch(/^Article not found: /);
      },
    );
  });

  describe('methods', () => {
    const paths = [
      ['/api/cms/items/types', 'GET, HEAD'],
      ['/api/cms/items/article/metadata', 'GET, HEAD'],
      ['/api/cms/items/article/search-metadata', 'GET, HEAD'],
      ['/api/cms/items/article/list', 'POST'],
      ['/api/cms/items/article/search', 'POST'],
      ['/api/cms/items/article', 'POST'],
      ['/api/cms/items/article/1', 'GET, HEAD, PATCH, PUT, DELETE'],
      ['/livez', 'GET, HEAD'],
      ['/readyz', 'GET, HEAD'],
      ['/metrics', 'GET, HEAD'],
      ['/api/openapi.json', 'GET, HEAD'],
      ['/api/docs', 'GET, HEAD'],
      ['/api/platform/plugins', 'GET, HEAD'],
    ] as const;

    it.each(paths)('of %s that are not offered answer 405 with Allow: %s', async (path, allow) => {
      const offered = allow.split(', ');
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'].filter(
        (one) => !offered.includes(one),
      )) {
        const answer = await send(host.address, path, { method });
        const code = method === 'HEAD' ? undefined : 'METHOD_NOT_ALLOWED';
        expect([method, answer.status, answer.headers.allow, answer.json?.error.code]).toEqual([
          method,
          405,
          allow,
          code,
        ]);
      }
    });

    it.each(paths)('of %s are the answer to OPTIONS, with no body and no CORS', async (path, allow) => {
      const answer = await send(host.address, path, {
        method: 'OPTIONS',
        headers: { origin: 'https://elsewhere.example' },
      });
      expect([answer.status, answer.text, answer.headers.allow]).toEqual([204, '', allow]);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    });
  });

  describe('an unknown path', () => {
    it.each([
      '/',
      '/api',
      '/api/cms',
      '/api/cms/items',
      '/nothing',
      '/api/cms/items/article/1/2',
      '/API/CMS/items/types',
      '//api/cms/items/types',
      '/.env',
    ])('%s is a 404 in the envelope', async (path) => {
      const answer = await send(host.address, path);
      expect([answer.status, answer.headers['content-type'], answer.json]).toEqual([
        404,
        'application/json; charset=utf-8',
        {
          error: {
            code: 'NOT_FOUND',
            message: expect.stringContaining('Not found: GET '),
            requestId: expect.any(String),
          },
        },
      ]);
    });
  });

  describe('the platform endpoints', () => {
    it('answer that the process is alive and ready', async () => {
      expect((await send(host.address, '/livez')).json).toEqual({ data: { status: 'alive' } });
      const ready = await send(host.address, '/readyz');
      const part = (name: string) => ({ name, status: 'up' });
      expect([ready.status, ready.json]).toEqual([
        200,
        {
          data: {
            status: 'ready',
            parts: [
              part('database'),
              // A long transaction of another test on the same server is named.
              expect.objectContaining(part('changes')),
              ...['articles', 'catalog', 'events', 'workbench'].map((id) => part(`plugin ${id}`)),
            ],
          },
        },
      ]);
    });

    it('measure requests by route pattern, never by path', async () => {
      await items.get('article/metadata');
      await items.get('nothing-here/metadata');
      await send(host.address, '/nowhere/at/all');
      const metrics = await send(host.address, '/metrics');
      expect([metrics.status, metrics.headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
      expect(metrics.text).toContain(
        'gantry_http_request_duration_seconds_count{method="GET",route="/api/cms/items/:type/metadata",status="200"}',
      );
      expect(metrics.text).toContain('route="other",status="404"');
      expect(metrics.text).toMatch(/gantry_database_connections\{pool="read",state="total"\} \d+/);
      expect(metrics.text).toMatch(/\ngantry_changes_lag_seconds \d/);
      expect(metrics.text).not.toContain('nothing-here');
    });

    it('give every request another id', async () => {
      const ids = await Promise.all(
        Array.from({ length: 20 }, async () => (await send(host.address, '/livez')).headers['x-request-id']),
      );
      expect(new Set(ids).size).toBe(20);
    });

    it.each([
      '/livez',
      '/readyz',
      '/metrics',
      '/api/openapi.json',
      '/api/platform/content',
      '/api/cms/items/types',
      '/api/cms/items/article/metadata',
      '/api/cms/items/article/search-metadata',
      '/api/cms/items/article/1',
    ])('take no query: %s', async (path) => {
      const answer = await send(host.address, `${path}?verbose=1`);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
      expect(answer.json.error.message).toContain('"verbose"');
    });

    it('answer whether an item exists', async () => {
      await items.create('catalog', { code: 'any-item' });
      const answer = await send(host.address, '/api/platform/content');
      expect([answer.status, answer.json.data]).toEqual([200, { hasItems: true }]);
    });

    it('answer which items of every type have a value in a field', async () => {
      const id = await items.created('catalog', { code: 'of-all', name: 'All' });
      const path = '/api/platform/items?field=code&value=';
      const answer = await send(host.address, `${path}of-all`);
      expect(answer.status).toBe(200);
      expect(answer.json.data).toMatchObject({ catalog: [{ id, values: { code: 'of-all' } }] });
      expect(Object.keys(answer.json.data)).not.toContain('article');

      expect((await send(host.address, path)).status).toBe(400);
    });

    it('count the items that need a person, by the rules of their types', async () => {
      const catalog = await items.created('catalog', { code: 'to-check' });
      const entry = async () =>
        (await send(host.address, '/api/platform/attention')).json.data.find(
          ({ title }: { title: string }) => title === 'Products to check',
        );
      const before = (await entry())?.count ?? 0;
      const id = await items.created('product', { code: 'to-check', catalog });
      expect(await entry()).toEqual({
        type: 'product',
        title: 'Products to check',
        criteria: [{ field: 'approvalStatus', operator: 'EQUALS', value: 'CHECK' }],
        count: before + 1,
        isMore: false,
      });
      await items.patch('product', id, { approvalStatus: 'APPROVED' });
      expect((await entry())?.count ?? 0).toBe(before);
    });

    it('list the items of all types that changed last, with their labels', async () => {
      const recent = async () =>
        (await send(host.address, '/api/platform/recent')).json.data as readonly Record<string, unknown>[];
      const catalog = await items.created('catalog', { code: 'recent', name: 'Recently changed' });
      const product = await items.created('product', { code: 'recent', catalog });
      const [first, second] = await recent();
      expect([first, second]).toMatchObject([
        { type: 'product', id: product, label: 'recent', isNew: true },
        { type: 'catalog', id: catalog, label: 'Recently changed', isNew: true },
      ]);
      await items.patch('catalog', catalog, { name: 'Changed again' });

      const after = await recent();
      expect(after[0]).toMatchObject({ type: 'catalog', id: catalog, label: 'Changed again', isNew: false });
      expect(after.length).toBeLessThanOrEqual(10);
      expect((await send(host.address, '/api/platform/recent?limit=1')).status).toBe(400);
    });

    it('take no query but found on the list of plugins, which is true or false', async () => {
      const unknown = await send(host.address, '/api/platform/plugins?verbose=1');
      expect([unknown.status, unknown.json.error.message]).toEqual([400, expect.stringMatching(/"verbose".* found,/)]);
      const neither = await send(host.address, '/api/platform/plugins?found=maybe');
      expect([neither.status, neither.json.error.message]).toEqual([400, expect.stringMatching(/^found: .*"maybe"/)]);
    });

    it.each([
      [{ dependents: null }, 'VALIDATION_FAILED', 'dependents'],
      [{ dependents: 'true' }, 'VALIDATION_FAILED', 'dependents'],
      [{ others: true }, 'VALIDATION_FAILED', 'others'],
      [[], 'BAD_REQUEST', 'JSON object'],
      ['catalog', 'BAD_REQUEST', 'JSON object'],
      [null, 'BAD_REQUEST', 'JSON object'],
    ])('refuse to disable a plugin with the body %j', async (body, code, named) => {
      const path = '/api/platform/plugins/catalog/disable';
      const answer = await sendJson(host.address, 'POST', path, JSON.stringify(body));
      expect([answer.status, answer.json.error.code]).toEqual([400, code]);
      expect(answer.json.error.message).toContain(named);
    });
  });
}
