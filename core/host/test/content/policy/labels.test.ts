import { itemActions } from '@gantry/contracts';
import { sendJson } from '../../../../../test/support/rest-client';
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
