import type { ItemMetadata } from '@gantry/contracts';
import { createQueryClient } from '../src/api/queries';
import type { StoredPreference } from '../src/api/platform/preference';
import { loadList } from '../src/content/list/load-list';

const metadata: ItemMetadata = {
  code: 'film',
  displayName: 'Film',
  displayNamePlural: 'Films',
  columnShown: [],
  searchable: [],
  fields: [],
  readOnly: false,
};
const view = { id: 'v1', name: 'Short', parameters: 'sort=length' };
const opensView = [
  { name: 'list.film', version: 1, value: { views: [view], defaultView: 'v1' } },
] as unknown as readonly StoredPreference[];

let preferences: readonly StoredPreference[];
let requested: string[];

beforeEach(() => {
  preferences = [];
  requested = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation((path) => {
    requested.push(String(path));
    return Promise.resolve(Response.json({ data: answerTo(String(path)) }));
  });
});

function answerTo(path: string): unknown {
  if (path.endsWith('/metadata')) return metadata;
  return path.includes('/list?') ? [] : preferences;
}

afterEach(() => jest.restoreAllMocks());

const lists = () => requested.filter((path) => path.includes('/list?'));

it('requests the items of a list once, however often it is called for the same address', async () => {
  const client = createQueryClient();
  await Promise.all([loadList(client, 'film', '?limit=100'), loadList(client, 'film', '?limit=100')]);
  await loadList(client, 'film', '?limit=100');
  expect(lists()).toEqual(['/api/cms/items/film/list?limit=100']);
  client.clear();
});

it('leaves the items to the view that an address without parameters opens', async () => {
  preferences = opensView;
  const client = createQueryClient();
  await loadList(client, 'film');
  expect(lists()).toEqual([]);
  await loadList(client, 'film', '?view=all');
  expect(lists()).toEqual(['/api/cms/items/film/list?limit=50']);
  client.clear();
});
