import type { TestHost } from '../../../support/platform';
import type { Answer } from '../../../support/rest-client';
import { createPerson as invite, sendAs } from '../support/accounts';

const on = { plugin: 'catalog', type: 'product' };
const own = { field: 'createdBy', operator: 'EQUALS', value: '$user.id' };

/** On a host with the content plugins, as an administrator. */
export function testOwnItems(host: TestHost, administrator: () => string): void {
  const products = '/api/cms/items/product';
  let ann = '';
  let bob = '';
  let eve = '';
  let catalog = 0;
  let bobsProduct = 0;

  beforeAll(async () => {
    ann = administrator();
    const { json } = await as(ann, 'POST', '/api/cms/items/catalog', { code: 'owners' });
    catalog = json.data.id as number;
    const grants = [
      { on, actions: ['read', 'create', 'update', 'delete', 'import', 'export'], where: [own] },
      { on: { plugin: 'catalog', type: 'catalog' }, actions: ['read'] },
    ];
    const created = await as(ann, 'POST', '/api/platform/roles', { name: 'own-products', grants });
    expect([created.status, created.json.data.grants[0].where]).toEqual([201, [own]]);
    bob = await createPerson('bob@example.com');
    eve = await createPerson('eve@example.com');
    bobsProduct = await createProduct(bob, 'B-1');
    await createProduct(eve, 'E-1');
    await createProduct(ann, 'A-1');
  });

  it('shows each of them their own', async () => {
    expect(await codes(bob)).toEqual(['B-1']);
    expect(await codes(eve)).toEqual(['E-1']);
    // An administrator sees products of others, too.
    expect((await codes(ann)).filter((code) => /^[ABE]-1$/.test(code))).toEqual(['A-1', 'E-1', 'B-1']);
    expect((await as(eve, 'GET', `${products}/${bobsProduct}`)).status).toBe(404);
    expect((await as(eve, 'PATCH', `${products}/${bobsProduct}`, { price: 1 })).status).toBe(404);
    expect((await as(eve, 'DELETE', `${products}/${bobsProduct}`)).status).toBe(404);
  });

  it('goes on after others have changed them, and items name the user who did', async () => {
    const { json } = await as(ann, 'PATCH', `${products}/${bobsProduct}`, { price: 12 });
    const { createdBy, updatedBy } = (await as(bob, 'GET', `${products}/${bobsProduct}`)).json.data.values;
    expect(createdBy).not.toBe(updatedBy);
    expect(json.data.values).toMatchObject({ createdBy, updatedBy });
    expect((await as(bob, 'PATCH', `${products}/${bobsProduct}`, { price: 13 })).status).toBe(200);
  });

  it('imports and exports their own', async () => {
    const file = [
      { code: 'E-2', name: 'Eve', price: 1, catalog: 'owners' },
      { code: 'B-1', name: 'Taken', price: 1, catalog: 'owners' },
    ];
    const imported = await as(eve, 'POST', '/api/cms/imports/product?match=code&keepGoing=true', file);
    expect(imported.text).not.toContain('Tent');
    const exported = await as(eve, 'POST', '/api/cms/exports/product', []);
    expect(exported.text).toContain('E-1');
    expect(exported.text).not.toContain('B-1');
    expect((await as(bob, 'GET', `${products}/${bobsProduct}`)).json.data.values.name).toBe('Tent');
  });

  it('names the line of a new item that is refused because its reference is to another new item', async () => {
    const where = [
      {
        any: [
          { field: 'parent', operator: 'EMPTY', value: 'false' },
          { field: 'code', operator: 'EQUALS', value: 'root' },
        ],
      },
    ];
    const grants = [
      { on: { plugin: 'catalog', type: 'category' }, actions: ['read', 'create', 'update', 'import'], where },
      { on: { plugin: 'catalog', type: 'catalog' }, actions: ['read'] },
    ];
    await as(ann, 'POST', '/api/platform/roles', { name: 'branches', grants });
    const session = await createPerson('branches@example.com', 'branches');
    const root = { code: 'root', name: 'Root', catalog: 'owners' };
    const leaf = { code: 'leaf', name: 'Leaf', catalog: 'owners', parent: 'root' };
    const bring = (items: readonly object[]) => as(session, 'POST', '/api/cms/imports/category', items);

    const refused = await bring([leaf, root]);
    expect([refused.status, refused.json.error.details]).toEqual([
      400,
      [
        expect.objectContaining({
          line: 1,
          code: 'FORBIDDEN',
          message: expect.stringMatching(/ parent .* new item of the file/),
        }),
      ],
    ]);
    for (const item of [root, leaf]) {
      expect((await bring([item])).json.data).toMatchObject({ created: 1, badItems: 0 });
    }
  });

  it.each([
    ['whose type it hides', []],
    [
      'that it hides',
      [
        {
          on: { plugin: 'catalog', type: 'catalog' },
          actions: ['read'],
          where: [{ field: 'code', operator: 'EQUALS', value: 'none' }],
        },
      ],
    ],
  ])('imports a reference to an item %s where it stays as it is, and nowhere else', async (_what, others) => {
    const name = `no-catalogs-${others.length}`;
    const grants = [{ on, actions: ['read', 'create', 'update', 'import', 'export'] }, ...others];
    await as(ann, 'POST', '/api/platform/roles', { name, grants });
    const session = await createPerson(`${name}@example.com`, name);
    const [first, second] = [{ code: `F-${others.length}` }, { code: `S-${others.length}` }];
    await createProduct(ann, first.code);
    const { json } = await as(ann, 'POST', '/api/cms/items/catalog', { code: `other-${others.length}` });
    const bring = (values: object) => as(session, 'POST', '/api/cms/imports/product?match=code', [values]);

    const kept = await bring({ ...first, price: 77, catalog });
    expect([kept.status, kept.json.data]).toEqual([200, expect.objectContaining({ updated: 1, badItems: 0 })]);
    const same = await bring({ ...first, price: 77, catalog });
    expect(same.json.data).toMatchObject({ unchanged: 1, badItems: 0 });
    for (const values of [
      { ...first, catalog: json.data.id as number },
      { ...first, catalog: 999_999 },
      { ...second, name: 'x', price: 1, catalog },
    ]) {
      const refused = await bring(values);
      expect(refused.text).toContain('REFERENCE_NOT_FOUND');
    }
    const { values } = (
      await as(ann, 'POST', `${products}/list`, [{ field: 'code', operator: 'EQUALS', value: first.code }])
    ).json.data[0];
    expect(values).toMatchObject({ price: 77, catalog: { id: catalog } });
  });

  it('is explained for an item', async () => {
    const explain = async (login: string, action: string): Promise<Answer> =>
      as(
        ann,
        'GET',
        `/api/platform/explain?user=${login}@example.com&type=product&action=${action}&item=${bobsProduct}`,
      );
    expect((await explain('bob', 'update')).json.data).toEqual({
      allowed: true,
      by: [{ role: 'own-products', on, where: [own] }],
      code: 'ALLOWED',
      reason: `bob@example.com may update Product ${bobsProduct}.`,
    });
    expect((await explain('eve', 'update')).json.data).toEqual({
      allowed: false,
      by: [],
      code: 'CONDITIONS_NOT_MET',
      reason: expect.stringMatching(/^eve@example\.com .*conditions .* read\.$/),
    });
    expect((await explain('ann', 'delete')).json.data).toMatchObject({
      allowed: true,
      by: [{ role: 'administrator' }],
    });
  });

  it('says what is wrong with a condition that no item can meet', async () => {
    const where = [{ field: 'colour', operator: 'EQUALS', value: 'red' }];
    await as(ann, 'POST', '/api/platform/roles', { name: 'red', grants: [{ on, actions: ['read'], where }] });
    await createPerson('red@example.com', 'red');
    const { json } = await as(ann, 'GET', '/api/platform/explain?user=red@example.com&type=product&action=read');
    expect(json.data.reason).toMatch(/ role red: Product .* field colour /);
  });

  it.each([
    [{ on: 'content', actions: ['read'], where: [own] }, 'one type'],
    [{ on, actions: ['read'], where: [] }, 'where'],
    [{ on, actions: ['read'], where: [{ ...own, value: '$user.password' }] }, '$user.id and $user.login'],
    [{ on, actions: ['read'], where: [{ ...own, operator: 'LIKE' }] }, 'operator'],
    [{ on, actions: ['read'], where: [{ ...own, value: 7 }] }, 'value'],
    [{ on, actions: ['read'], where: own }, 'where'],
  ])('cannot be made with %j', async (grant, problem) => {
    const { status, text } = await as(ann, 'POST', '/api/platform/roles', { name: 'wrong', grants: [grant] });
    expect([status, text]).toEqual([400, expect.stringContaining(problem)]);
  });

  function as(session: string, method: string, path: string, body?: unknown): Promise<Answer> {
    return sendAs(host.address, session, method, path, body);
  }

  async function codes(session: string): Promise<readonly string[]> {
    const { json } = await as(session, 'POST', `${products}/list`, []);
    return json.data.map(({ values }: { values: { code: string } }) => values.code);
  }

  async function createProduct(session: string, code: string): Promise<number> {
    const { json, text } = await as(session, 'POST', products, { code, name: 'Tent', price: 10, catalog });
    if (json.error !== undefined) throw new Error(text);
    return Number(json.data.id);
  }

  function createPerson(login: string, role = 'own-products'): Promise<string> {
    return invite(host.address, ann, login, [role]);
  }
}
