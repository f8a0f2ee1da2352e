import { contentPlugins, useTestHost } from '../../support/platform';
import { itemsOf, send, sendJson, type Answer } from '../../support/rest-client';

const host = useTestHost({
  plugins: [...contentPlugins, 'plugins/media', 'plugins/admin-ui', 'services/ops', 'services/order'],
});
const items = itemsOf(host);
const long = 'x'.repeat(300);

type Refused = readonly [query: string, path: string, code: string];

const count = (name: string): readonly Refused[] => [
  [`${name}=0`, name, 'OUT_OF_RANGE'],
  [`${name}=many`, name, 'WRONG_TYPE'],
];
const flags = (...names: readonly string[]): readonly Refused[] =>
  names.map((name) => [`${name}=yes`, name, 'WRONG_TYPE'] as const);
const searchText: readonly Refused[] = [
  ['q=%20', 'q', 'REQUIRED'],
  [`q=${long}`, 'q', 'TOO_LONG'],
  ['q=a%07', 'q', 'CHARACTER'],
];
const position = (name: string): Refused => [`${name}=here`, name, 'PATTERN'];
const times: readonly Refused[] = [
  ['from=soon', 'from', 'WRONG_TYPE'],
  ['to=soon', 'to', 'WRONG_TYPE'],
];
const log: readonly Refused[] = [...count('limit'), ...count('before')];

/** The values that are refused of each query parameter, by operation. */
const refused: Readonly<Record<string, readonly Refused[]>> = {
  'POST /api/cms/search': [['', 'q', 'REQUIRED'], ...searchText],
  'GET /api/cms/changes': [
    position('after'),
    ...count('limit'),
    ['order=random', 'order', 'NOT_AN_OPTION'],
    ['order=newest&before=here', 'before', 'PATTERN'],
    ['before=1.2.3', 'before', 'VALUE_INVALID'],
    ['order=newest&after=1.2.3', 'after', 'VALUE_INVALID'],
    [`order=newest&actor=${long}`, 'actor', 'TOO_LONG'],
    ['order=newest&actor=%00', 'actor', 'VALUE_INVALID'],
    ['order=newest&action=moved', 'action', 'NOT_AN_OPTION'],
    ['order=newest&from=soon', 'from', 'WRONG_TYPE'],
    ['order=newest&to=soon', 'to', 'WRONG_TYPE'],
  ],
  'GET /api/cms/items/{type}/deleted': [position('before'), ...count('limit')],
  'GET /api/cms/items/{type}/{id}/history': [position('before'), ...count('limit')],
  'GET /api/cms/items/{type}/{id}/differences': [
    ['to=1', 'from', 'REQUIRED'],
    ['from=first&to=1', 'from', 'WRONG_TYPE'],
    ['from=1&to=last', 'to', 'WRONG_TYPE'],
  ],
  'GET /api/platform/items': [
    ['field=code', 'value', 'REQUIRED'],
    ['value=a', 'field', 'REQUIRED'],
  ],
  'GET /api/openapi.json': [['version=2.0', 'version', 'NOT_AN_OPTION']],
  'GET /api/platform/plugins': flags('found'),
  'DELETE /api/platform/users/{id}': flags('deleteWebhooks'),
  'POST /api/platform/plugins/install': [['name=a/b', 'name', 'PATTERN'], ...flags('check', 'disabled')],
  'POST /api/platform/plugins/{id}/upgrade': [['name=a/b', 'name', 'PATTERN'], ...flags('check')],
  'GET /api/platform/explain': [
    ['permission=users.manage', 'user', 'WRONG_TYPE'],
    ['user=a&type=catalog&action=fly', 'action', 'VALUE_INVALID'],
    ['user=a&action=read', 'type', 'WRONG_TYPE'],
    ['user=a&type=catalog&action=read&item=first', 'item', 'PATTERN'],
    [`user=a&type=catalog&action=read&field=${long}`, 'field', 'TOO_LONG'],
    [`user=a&permission=${long}`, 'permission', 'TOO_LONG'],
  ],
  'GET /api/platform/audit': [
    ...log,
    [`actor=${long}`, 'actor', 'TOO_LONG'],
    [`action=${long}`, 'action', 'TOO_LONG'],
    ...times,
  ],
  'GET /api/platform/webhooks/{id}/deliveries': log,
  'GET /api/platform/webhooks/{id}/undelivered': log,
  'POST /api/cms/items/catalog/list': [
    ...count('limit'),
    ['after=here', 'after', 'VALUE_INVALID'],
    ...flags('total', 'cappedTotal', 'strict'),
    ['sort=none', 'sort', 'NOT_AN_OPTION'],
    ...searchText,
  ],
  'POST /api/cms/items/catalog/search': [...count('limit'), ...flags('strict'), ...searchText],
  'POST /api/cms/exports/catalog': [
    ['format=xml', 'format', 'NOT_AN_OPTION'],
    ['delimiter=ab', 'delimiter', 'PATTERN'],
    ...flags('ids', 'keepEmpty', 'safeCsv', 'strict'),
    ...searchText,
  ],
  'POST /api/cms/imports/catalog': [
    ['delimiter=ab', 'delimiter', 'PATTERN'],
    ['map=a', 'map', 'WRONG_TYPE'],
    ['map=%7B%22Code%22%3A%22codes%22%7D', 'map', 'VALUE_INVALID'],
    ['set=%5B%5D', 'set', 'WRONG_TYPE'],
    ['set=%7B%22codes%22%3A%22a%22%7D', 'set', 'VALUE_INVALID'],
    ['match=name', 'match', 'VALUE_INVALID'],
    ['format=xml', 'format', 'NOT_AN_OPTION'],
    ...flags('dryRun', 'ignoreUnknown', 'ids', 'keepIds', 'safeCsv', 'keepEmpty'),
  ],
  'DELETE /api/cms/items/catalog/{id}': [['confirm=some', 'confirm', 'PATTERN']],
  'GET /api/cms/items/catalog/{id}/references': [
    ['limit=1', 'field', 'REQUIRED'],
    ['field=product.name', 'field', 'NOT_AN_OPTION'],
    ['field=product.catalog&limit=0', 'limit', 'OUT_OF_RANGE'],
    ['field=product.catalog&after=here', 'after', 'VALUE_INVALID'],
  ],
  'DELETE /admin/api/preferences/favourites': [
    ['', 'version', 'REQUIRED'],
    ['version=last', 'version', 'WRONG_TYPE'],
  ],
};

/** Sent where all query parameters are fine, so that only they can be refused. */
const bodies: Readonly<Record<string, readonly [mediaType: string, body: string]>> = {
  'POST /api/cms/imports/catalog': ['text/csv', 'code\na\n'],
  'POST /api/platform/plugins/install': ['application/gzip', 'x'],
  'POST /api/platform/plugins/{id}/upgrade': ['application/gzip', 'x'],
};

async function ask(operation: string, query: string): Promise<Answer> {
  const [method = '', template = ''] = operation.split(' ');
  const path = `${template.replace('{type}', 'catalog').replace('{id}', '1')}?${query}`;
  const [mediaType, body] = bodies[operation] ?? ['application/json', '[]'];
  if (method !== 'POST') return send(host.address, path, { method });
  return send(host.address, path, { method, body, headers: { 'content-type': mediaType } });
}

beforeAll(async () => {
  await items.created('catalog', { code: 'one' });
});

describe('a query parameter that is refused', () => {
  const cases = Object.entries(refused).flatMap(([operation, list]) =>
    list.map((one) => [operation, one[0].slice(0, 60), ...one] as const),
  );

  it.each(cases)('is named in the details: %s ?%s', async (operation, _shown, query, path, code) => {
    const { status, json } = await ask(operation, query);

    expect([status, json.error]).toEqual([
      400,
      expect.objectContaining({
        details: expect.arrayContaining([{ path, code, message: expect.stringMatching(/\w/) }]),
      }),
    ]);
  });
});

/** The parameters that the OpenAPI document names, by operation; of the item types those of one. */
async function documented(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { paths, components } = (await send(host.address, '/api/openapi.json')).json as Document;
  const ofOneType = (path: string): boolean => /^\/api\/cms\/\w+\/(?:catalog|\{type\})(?:\/|$)/.test(path);
  const all = Object.entries(paths)
    .filter(([path]) => !/^\/api\/cms\/\w+\/\S/.test(path) || ofOneType(path))
    .flatMap(([path, { parameters: shared = [], ...operations }]) =>
      Object.entries(operations).map(([method, { parameters = [] }]) => {
        const resolved = [...shared, ...parameters].map((one) => components.parameters[keyOf(one)] ?? one);
        const names = resolved.flatMap((one) => (one.in === 'query' ? [one.name ?? ''] : []));
        return [`${method.toUpperCase()} ${path}`, names] as const;
      }),
    );
  return new Map(all.filter(([, names]) => names.length > 0));
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly $ref?: string;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
}

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly parameters?: readonly Parameter[] } & Readonly<Record<string, Operation>>>
  >;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

function keyOf({ $ref = '' }: Parameter): string {
  return $ref.split('/').at(-1) ?? '';
}

/** Why some of them are not among those above. */
const elsewhere: Readonly<Record<string, string>> = {
  'GET /api/cms/changes types': 'an unknown type is a 404',
  'GET /api/platform/oidc/start presence': 'an open platform has no sign-in; see test/e2e/sign-in/oidc/sign-in.ts',
  'GET /api/platform/oidc/start returnTo': 'an open platform has no sign-in; see test/e2e/sign-in/oidc/attacks.ts',
  'GET /api/platform/subscriptions/{plugin}/{name}/deliveries': 'the same handler as that of webhooks',
  'GET /api/platform/subscriptions/{plugin}/{name}/undelivered': 'the same handler as that of webhooks',
  'GET /workflows': 'a schema of the plugin',
  'GET /workflows/{workflowId}': 'a schema of the plugin',
  'GET /workflows/{workflowId}/history': 'a schema of the plugin',
  'GET /orders': 'a schema of the plugin',
  'GET /orders/daily': 'a schema of the plugin',
  'POST /media/files name': 'any text is a name',
};

describe('the OpenAPI document', () => {
  it('names no query parameter that is not asked for above', async () => {
    const missing = [...(await documented())].flatMap(([operation, names]) => {
      const known = refused[operation.replace('{name}', 'favourites')] ?? [];
      return names
        .filter((name) => !known.some(([, path]) => path === name))
        .map((name) => `${operation} ${name}`)
        .filter((one) => elsewhere[one] === undefined && elsewhere[one.replace(/ \w+$/, '')] === undefined);
    });

    expect(missing).toEqual([]);
  });

  it('describes the details of a bad request', async () => {
    const { components } = (await send(host.address, '/api/openapi.json')).json;
    const { BadRequest } = components.responses;
    expect(BadRequest.content['application/json'].example.error.details).toEqual([
      { path: 'limit', code: 'OUT_OF_RANGE', message: expect.any(String) },
    ]);
    expect(components.schemas.FailureDetail.properties.code.examples).toContain('VALUE_INVALID');
  });
});

describe('a query parameter that the path does not have, or that is repeated', () => {
  it.each(Object.keys(refused).map((operation) => [operation]))('is named in the details: %s', async (operation) => {
    const unknown = await ask(operation, 'colour=red&size=1');
    expect([unknown.status, unknown.json.error.details]).toEqual([
      400,
      ['colour', 'size'].map((path) => ({ path, code: 'UNKNOWN_FIELD', message: expect.stringContaining(path) })),
    ]);
    const [[, name] = ['', '']] = refused[operation] ?? [];
    const repeated = await ask(operation, `${name}=1&${name}=1`);
    expect([repeated.status, repeated.json.error.details]).toEqual([
      400,
      [{ path: name, code: 'DUPLICATE', message: expect.stringContaining(name) }],
    ]);
  });

  it('is named in the details for an image', async () => {
    const image = `/media/${'0'.repeat(64)}.png`;
    const detailsOf = async (query: string): Promise<unknown> => {
      const { status, json } = await send(host.address, `${image}?${query}`);
      return [status, json.error.details];
    };
    const one = (path: string, code: string): unknown => [400, [{ path, code, message: expect.any(String) }]];

    expect(await detailsOf('width=1')).toEqual(one('width', 'NOT_AN_OPTION'));
    expect(await detailsOf('width=64&width=64')).toEqual(one('width', 'DUPLICATE'));
    expect(await detailsOf('height=1')).toEqual(one('height', 'UNKNOWN_FIELD'));
  });
});

describe('criteria that are refused', () => {
  const deep = (levels: number): unknown => (levels === 0 ? { field: 'code' } : { any: [deep(levels - 1)] });

  it.each<[string, unknown, string, string]>([
    [
      'the value of the second one',
      [{ field: 'code' }, { field: 'id', operator: 'EQUALS', value: 'x' }],
      '[1].value',
      '',
    ],
    ['a member of the second one', [{ field: 'code' }, { field: 'code', colour: 'red' }], '[1].colour', 'CRITERION'],
    ['too many', Array.from({ length: 1_000 }, () => ({ field: 'code' })), '', 'TOO_MANY'],
    ['too deep groups', [{ field: 'code' }, deep(20)], '[1].any', 'CRITERION'],
    ['no array', {}, '', 'WRONG_TYPE'],
  ])('are named by their path: %s', async (_what, criteria, path, code) => {
    const { status, json } = await sendJson(host.address, 'POST', '/api/cms/items/catalog/list', criteria);

    expect([status, json.error.details]).toEqual([
      400,
      [
        {
          path: expect.stringMatching(start(path)),
          code: expect.stringMatching(start(code)),
          message: expect.any(String),
        },
      ],
    ]);
  });
});

function start(text: string): RegExp {
  return text === '' ? /^/ : new RegExp(`^${text.replaceAll(/[.[\]]/g, String.raw`\$&`)}`);
}
