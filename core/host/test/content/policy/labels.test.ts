import { itemActions, type Grant } from '@gantry/contracts';
import { sendJson } from '../../../../../test/support/rest-client';
import { createOpenPolicy } from '../../../src/content/policy/open-policy';
import { createRolePolicy } from '../../../src/content/policy/role-policy';
import { libraryFields, openLibrary, type Library, type TypeGrant } from '../support/library-pair';

let library: Library;

beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

function all(type: string): TypeGrant {
  const fields = libraryFields[type] ?? [];
  return { actions: itemActions, fields, writable: fields };
}

describe('a type of which a role shows everything', () => {
  it('is shown with the labels that the role shows of another one', async () => {
    const open = { 'x-open': 'yes' };
    const { json } = await sendJson(library.address, 'POST', '/api/cms/items/book', { code: 'secret code' }, open);
    const id = json.data.id;
    await sendJson(library.address, 'POST', '/api/cms/items/review', { text: 'good', book: id }, open);
    const openList = await sendJson(library.address, 'POST', '/api/cms/items/review/list', [], open);
    library.setRole({ review: [all('review')], book: [{ ...all('book'), fields: ['alias'], actions: ['read'] }] });
    const list = await sendJson(library.address, 'POST', '/api/cms/items/review/list', []);

    expect(openList.json.data[0].values.book).toEqual({ id, label: 'secret code' });
    expect(list.json.data[0].values.book).toEqual({ id, label: String(id) });
  });
});

describe('a type of a plugin that is not in use', () => {
  const reads = (on: Grant['on']) =>
    createRolePolicy(library.types, [{ on, actions: ['read'] }], { id: '7', login: 'ann@example.org' });

  it('is unavailable to those who might see it, and unknown to others', () => {
    expect(createOpenPolicy(library.types).mightShow('crm', 'contact')).toBe(true);
    const granted: readonly Grant['on'][] = ['content', { plugin: 'crm' }, { plugin: 'crm', type: 'contact' }];
    for (const on of granted) expect(reads(on).mightShow('crm', 'contact')).toBe(true);
    const others: readonly Grant['on'][] = [{ plugin: 'workshop' }, { plugin: 'crm', type: 'note' }];
    for (const on of others) expect(reads(on).mightShow('crm', 'contact')).toBe(false);
    // What is known to be hidden stays so.
    expect(reads('records').mightShow('workshop', 'book')).toBe(false);
  });
});
