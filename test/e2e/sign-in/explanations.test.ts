import { createPerson, sendAs } from './support/accounts';
import { useSignedInHost } from './support/signed-in-host';

const plugins = ['test/e2e/sign-in/fixtures/desk', 'test/samples/paints'];
const { host, administrator } = useSignedInHost({ plugins });
const paint = { plugin: 'paints', type: 'paint' };
const inHall = [{ field: 'room', operator: 'EQUALS', value: 'HALL' }];

/** Grants of a painter: all paints, and more fields of those in the hall. */
const grants = [
  { on: { plugin: 'desk' }, actions: ['read', 'create', 'update'] },
  { on: paint, actions: ['read', 'update'], readableFields: ['name', 'room', 'coverage'] },
  { on: paint, actions: ['read'], readableFields: ['litres'], where: inHall },
];

const ask = (method: string, path: string, body?: unknown) => sendAs(host.address, administrator(), method, path, body);
let kitchen = 0;
beforeAll(async () => {
  await ask('POST', '/api/platform/roles', { name: 'painter', grants });
  await createPerson(host.address, administrator(), 'pat@example.com', ['painter']);
  const { json } = await ask('POST', '/api/cms/items/paint', {
    name: 'Sky',
    colour: '#0000ff',
    room: 'KITCHEN',
    litres: 2,
  });
  kitchen = json.data.id as number;
});

async function codeOf(question: string): Promise<unknown> {
  const { json } = await ask('GET', `/api/platform/explain?user=pat@example.com&${question}`);
  return json.data.code;
}

describe('the code of an explanation', () => {
  it.each([
    ['type=note&action=create', 'ALLOWED'],
    ['type=note&action=delete', 'NO_ACTION'],
    ['type=journal&action=update', 'TYPE_READ_ONLY'],
    ['type=paint&action=update&field=coverage', 'FIELD_COMPUTED'],
    ['type=paint&action=read&field=colour', 'FIELD_HIDDEN'],
  ])('of %s is %s', async (question, code) => {
    expect(await codeOf(question)).toBe(code);
  });

  it('says that a field is computed from one that is hidden on the item', async () => {
    expect(await codeOf(`type=paint&action=read&field=coverage&item=${kitchen}`)).toBe('SOURCE_HIDDEN');
    expect(await codeOf(`type=paint&action=read&field=name&item=${kitchen}`)).toBe('ALLOWED');
    expect(await codeOf('type=paint&action=read&field=name&item=4711')).toBe('ITEM_UNKNOWN');
  });

  it('is that of a disabled user for every question', async () => {
    const { json } = await ask('GET', '/api/platform/users');
    const { id } = json.data.find(({ login }: { login: string }) => login === 'pat@example.com');
    expect((await ask('PATCH', `/api/platform/users/${id}`, { isEnabled: false })).status).toBe(200);

    for (const question of ['type=note&action=create', 'permission=ops.read']) {
      expect(await codeOf(question)).toBe('USER_DISABLED');
    }
  });
});
