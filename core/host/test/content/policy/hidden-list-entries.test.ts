import { itemActions } from '@gantry/contracts';
import { send, sendJson, type Answer } from '../../../../../test/support/rest-client';
import { libraryFields, openLibrary, type Library } from '../support/library-pair';

let library: Library;

/** A book that is linked to two shelves, of which the role shows the first one. */
beforeAll(async () => {
  library = await openLibrary();
  for (const values of [
    { code: 'S-1', room: 'north' },
    { code: 'S-2', room: 'south' },
    { code: 'S-3', room: 'south' },
  ]) {
    expect((await write('POST', 'shelf', values, 'open')).status).toBe(201);
  }
  expect((await write('POST', 'book', { code: 'B-1', shelves: [1, 2] }, 'open')).status).toBe(201);
  const all = { actions: itemActions };
  const [book = [], shelf = []] = ['book', 'shelf'].map((type) => libraryFields[type]);
  library.setRole({
    book: [{ ...all, fields: book, writable: book }],
    shelf: [{ ...all, fields: shelf, writable: shelf, where: [{ field: 'room', operator: 'EQUALS', value: 'north' }] }],
  });
});
afterAll(() => library.close());

function write(method: string, path: string, values: object, role?: 'open'): Promise<Answer> {
  const headers = role === undefined ? {} : { 'x-open': 'yes' };
  return sendJson(library.address, method, `/api/cms/items/${path}`, values, headers);
}

const shelves = async (): Promise<unknown> => {
  const { json } = await send(library.address, '/api/cms/items/book/1', { headers: { 'x-open': 'yes' } });
  return json.data.values.shelves.map(({ id }: { readonly id: number }) => id);
};

describe('a list with an item that the role hides', () => {
  it('can be changed while that item stays in it', async () => {
    const changed = await write('PATCH', 'book/1', { shelves: [2, 1] });

    expect(changed.status).toBe(200);
    expect(await shelves()).toEqual([2, 1]);
  });

  it('cannot get another hidden one', async () => {
    const refused = await write('PATCH', 'book/1', { shelves: [2, 1, 3] });

    expect(refused).toMatchObject({
      status: 400,
      json: { error: { details: [{ path: 'shelves', code: 'REFERENCE_NOT_FOUND' }] } },
    });
    expect(await shelves()).toEqual([2, 1]);
  });
});
