import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startTestHost } from '../../support/platform';
import { createPerson, createUsers, sendAs, untilSignInIsRequired, useLink } from './support/accounts';

const [things, otherThings] = ['things', 'other-things'].map((name) => `test/e2e/sign-in/fixtures/${name}`) as [
  string,
  string,
];
const on = { plugin: 'things', type: 'thing' };
const thing = '/api/cms/items/thing';

describe('grants', () => {
  let database: TestDatabase;
  let ann = '';
  let bob = '';

  beforeAll(async () => {
    database = await createTestDatabase();
    await serving([things], 'name,secret', async (address) => {
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
    });
  }, 60_000);
  afterAll(() => database.drop());

  it('are suspended while their plugin is not in use, and not those of another plugin that has the type code', async () => {
    await serving([otherThings], 'name,secret', async (address) => {
      await sendAs(address, ann, 'POST', thing, { name: 'other', secret: 'other' });
      expect((await sendAs(address, bob, 'POST', `${thing}/list`, [])).status).toBe(404);
      expect((await sendAs(address, ann, 'POST', `${thing}/list`, [])).status).toBe(200);
    });
    await serving([things], 'name,secret', async (address) => {
      expect(await fieldsOf(address)).toEqual(['name', 'secret']);
    });
  }, 60_000);

  it('on a field that was removed do not come back with a field of that name, until the role is written again', async () => {
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
    await serving([things], 'name,secret', async (address) => {
      expect(await fieldsOf(address)).toEqual(['name', 'secret']);
    });
  }, 60_000);

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
    const host = await startTestHost({ plugins, databaseUrl: database.url, environment: { THING_FIELDS: fields } });
    try {
      await work(host.address);
    } finally {
      await host.stop();
    }
  }
});
