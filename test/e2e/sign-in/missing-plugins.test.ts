import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { plainPng } from '../../support/plain-png';
import { startTestHost } from '../../support/platform';
import { send } from '../../support/rest-client';
import { createPerson, createUsers, fromPage, sendAs, untilSignInIsRequired, useLink } from './support/accounts';

const [things, otherThings] = ['things', 'other-things'].map((name) => `test/e2e/sign-in/fixtures/${name}`) as [
  string,
  string,
];
const on = { plugin: 'things', type: 'thing' };
const thing = '/api/cms/items/thing';
const geo = 'test/samples/geo';
const media = 'plugins/media';
const articles = 'plugins/articles';
const place = '/api/cms/items/place';
const inSwitzerland = { field: 'location', operator: 'WITHIN', value: '45.8,5.9,47.8,10.5' };
const placesWhere = (...where: readonly object[]) => [
  { on: { plugin: 'geo', type: 'place' }, actions: ['read', 'create', 'update', 'import', 'export'], where },
];

describe('where plugins are not in use or have changed', () => {
  // By this name the next test run clears away what a killed one has left (test/support/global-setup.cjs).
  const home = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-`));
  let database: TestDatabase;
  let ann = '';
  let bob = '';
  let dora = '';
  let editor = '';
  let reader = '';
  /** Of an article, and of no other item. */
  let image = '';

  beforeAll(async () => {
    database = await createTestDatabase();
    await serving([things, geo, media, articles], 'name,secret', async (address) => {
      const [secret = ''] = await createUsers(database.url, ['ann@example.com']);
      await untilSignInIsRequired(address);
      ann = await useLink(address, secret);
      await sendAs(address, ann, 'POST', thing, { name: 'a', secret: 'b' });
      const role = {
        name: 'keeper',
        grants: [{ on, actions: ['read', 'update'], readableFields: ['name', 'secret'] }],
      };
      await sendAs(address, ann, 'POST', '/api/platform/roles', role);
      const where = [{ field: 'secret', operator: 'EQUALS', value: 'b' }];
      const byValue = { name: 'by-value', grants: [{ on, actions: ['read'], readableFields: ['name'], where }] };
      await sendAs(address, ann, 'POST', '/api/platform/roles', byValue);
      bob = await createPerson(address, ann, 'bob@example.com', ['keeper']);
      for (const [name, lat, lng] of [
        ['Bern', 46.95, 7.45],
        ['Rome', 41.9, 12.5],
        ['Zug', 47.17, 8.52],
      ]) {
        await sendAs(address, ann, 'POST', place, { name, location: { lat, lng } });
      }
      await createRole(address, 'swiss', placesWhere(inSwitzerland));
      dora = await createPerson(address, ann, 'dora@example.com', ['swiss']);
      await checkPlacesOfDora(address);
      await refuseOperators(address);
      editor = await createPerson(address, ann, 'editor@example.com', ['editor']);
      reader = await createPerson(address, ann, 'reader@example.com', ['reader']);
      image = await storeImage(address);
      expect(await answersToImage(address)).toEqual({ ann: 200, editor: 200, reader: 200 });
    });
  });
  afterAll(async () => {
    await database.drop();
    rmSync(home, { recursive: true, force: true });
  });

  async function storeImage(address: string): Promise<string> {
    const headers = { ...fromPage(address, ann), 'content-type': 'image/png' };
    const sent = await send(address, '/media/images', { method: 'POST', headers, body: plainPng(10, 10) });
    const url = String(sent.json.data.url);
    await sendAs(address, ann, 'POST', '/api/cms/items/article', { title: 'Tools', image: url });
    return url;
  }

  async function answersToImage(address: string): Promise<Readonly<Record<string, number>>> {
    const asked = Object.entries({ ann, editor, reader }).map(async ([name, cookie]) => {
      const { status } = await send(address, image, { headers: { cookie } });
      return [name, status] as const;
    });
    return Object.fromEntries(await Promise.all(asked));
  }

  async function createRole(address: string, name: string, grants: readonly object[]): Promise<void> {
    const { status, text } = await sendAs(address, ann, 'POST', '/api/platform/roles', { name, grants });
    expect([status, text]).toEqual([201, expect.anything()]);
  }

  /** An operator of a field kind of a plugin restricts lists, counts, single items, files and writes. */
  async function checkPlacesOfDora(address: string): Promise<void> {
    const asDora = (method: string, path: string, body?: unknown) => sendAs(address, dora, method, path, body);
    const list = await asDora('POST', `${place}/list?sort=id&total=true`, []);
    expect(list.json.data.map(({ values }: { values: { name: string } }) => values.name)).toEqual(['Bern', 'Zug']);
    expect(list.json.meta.total).toBe(2);
    expect((await asDora('GET', `${place}/1`)).status).toBe(200);
    expect((await asDora('GET', `${place}/2`)).status).toBe(404);
    expect((await asDora('PATCH', `${place}/2`, { name: 'Roma' })).status).toBe(404);
    const rome = { lat: 41.9, lng: 12.5 };
    expect((await asDora('PATCH', `${place}/1`, { location: rome })).status).toBe(403);
    expect((await asDora('POST', place, { name: 'Ostia', location: rome })).status).toBe(403);
    expect((await asDora('PATCH', `${place}/1`, { location: { lat: 46.95, lng: 7.45 } })).status).toBe(200);
    const exported = await asDora('POST', '/api/cms/exports/place', []);
    expect([exported.text.includes('Zug'), exported.text.includes('Rome')]).toEqual([true, false]);
    const imported = await asDora('POST', '/api/cms/imports/place?match=name', [{ name: 'Ostia', location: rome }]);
    expect([imported.status, imported.text]).toEqual([400, expect.stringContaining('your roles')]);
    const count = await sendAs(address, ann, 'POST', `${place}/list?total=true`, []);
    expect(count.json.meta.total).toBe(3);
  }

  /** A name that no kind has, one of another kind, a value that does not fit. */
  async function refuseOperators(address: string): Promise<void> {
    const unknown = { ...inSwitzerland, operator: 'WITHOUT' };
    const ofAnother = { ...inSwitzerland, field: 'name' };
    for (const [where, problem] of [
      [[unknown], /grants\[0\]\.where\[0\]\.operator: location .* WITHOUT; .* EQUALS, /],
      [[{ any: [inSwitzerland, ofAnother] }], /grants\[0\]\.where\[0\]\.any\[1\]\.operator: name .* WITHIN/],
      [[{ ...unknown, operator: 'within' }], / operator, .* EQUALS/],
    ] as const) {
      const grants = placesWhere(...where);
      const created = await sendAs(address, ann, 'POST', '/api/platform/roles', { name: 'odd', grants });
      const file = { formatVersion: 1, roles: [{ name: 'odd', grants }] };
      const imported = await sendAs(address, ann, 'PATCH', '/api/platform/roles', file);
      for (const { status, json } of [created, imported]) {
        expect([status, json.error]).toEqual([400, { ...json.error, message: expect.stringMatching(problem) }]);
      }
    }
    const wrong = placesWhere({ ...inSwitzerland, value: '1,2' });
    const roles = [{ name: 'nowhere', grants: wrong }];
    expect((await sendAs(address, ann, 'PATCH', '/api/platform/roles', { formatVersion: 1, roles })).status).toBe(200);
    const eve = await createPerson(address, ann, 'eve@example.com', ['nowhere']);
    expect((await sendAs(address, eve, 'POST', `${place}/list`, [])).json.data).toEqual([]);
    const { json } = await sendAs(address, ann, 'GET', explain('eve@example.com'));
    expect(json.data.reason).toMatch(/ role nowhere: .* location must be a box/);
  }

  const explain = (user: string): string => `/api/platform/explain?user=${user}&type=place&action=read`;

  it('grants on a field that was removed do not come back with a field of that name, until the role is written again', async () => {
    await serving([things], 'name', async (address) => {
      expect(await fieldsOf(address)).toEqual(['name']);
    });
    await serving([things], 'name,secret', async (address) => {
      expect(await fieldsOf(address)).toEqual(['name']);
      expect((await sendAs(address, bob, 'PATCH', `${thing}/1`, { secret: 'c' })).status).toBe(400);
      const clara = await createPerson(address, ann, 'clara@example.com', ['by-value']);
      expect((await sendAs(address, clara, 'POST', `${thing}/list`, [])).status).toBe(404);
      const path = '/api/platform/roles/keeper';
      const { displayName, grants } = (await sendAs(address, ann, 'GET', path)).json.data;
      expect(grants[0].readableFields).toEqual(['name', 'secret']);

      await sendAs(address, ann, 'PUT', path, { displayName, grants });

      expect(await fieldsOf(address)).toEqual(['name', 'secret']);
    });
  });

  it('grants are suspended, and not those of another plugin that has the type code; images of its items are hidden', async () => {
    await serving([otherThings, media], 'name,secret', async (address) => {
      // Also from those who upload images.
      expect(await answersToImage(address)).toEqual({ ann: 200, editor: 404, reader: 404 });
      await sendAs(address, ann, 'POST', thing, { name: 'other', secret: 'other' });
      expect((await sendAs(address, bob, 'POST', `${thing}/list`, [])).status).toBe(404);
      expect((await sendAs(address, ann, 'POST', `${thing}/list`, [])).status).toBe(200);
      expect((await sendAs(address, dora, 'POST', `${place}/list`, [])).status).toBe(404);
      expect((await sendAs(address, dora, 'GET', `${place}/1`)).status).toBe(404);
      expect((await sendAs(address, ann, 'GET', explain('dora@example.com'))).json.data.reason).toMatch(
        / type place\. .* role swiss .* suspended .* plugin geo /,
      );
    });
    await serving([things, geo, media, articles], 'name,secret', async (address) => {
      // Also those that were written again before.
      expect(await fieldsOf(address)).toEqual(['name', 'secret']);
      await checkPlacesOfDora(address);
      expect(await answersToImage(address)).toEqual({ ann: 200, editor: 200, reader: 200 });
    });
  });

  async function fieldsOf(address: string): Promise<readonly string[]> {
    const { json } = await sendAs(address, bob, 'GET', `${thing}/metadata`);
    return json.data.fields.map(({ name }: { readonly name: string }) => name);
  }

  /** A platform with one version of the plugins, on the database of all of them. */
  async function serving(
    plugins: readonly string[],
    fields: string,
    work: (address: string) => Promise<void>,
  ): Promise<void> {
    const host = await startTestHost({
      plugins,
      databaseUrl: database.url,
      environment: { GANTRY_HOME: home, THING_FIELDS: fields },
    });
    try {
      await work(host.address);
    } finally {
      await host.stop();
    }
  }
});
