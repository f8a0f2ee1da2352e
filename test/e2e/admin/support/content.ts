export const adminPlugins = ['plugins/catalog', 'plugins/articles', 'plugins/events', 'plugins/admin-ui'] as const;

/** Creates an item and gives its id. `body` as text keeps every digit. */
export async function create(address: string, type: string, body: string | object): Promise<number> {
  const answer = await fetch(`${address}/api/cms/items/${type}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const { data, error } = (await answer.json()) as { data?: { id: number }; error?: { message: string } };
  if (data === undefined) throw new Error(error?.message ?? `Status ${answer.status}`);
  return data.id;
}

/** Creates items in one request. What they refer to is named by its key. */
export async function createMany(address: string, type: string, items: readonly object[]): Promise<void> {
  const answer = await fetch(`${address}/api/cms/imports/${type}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: items.map((item) => JSON.stringify(item)).join('\n'),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Creates 60 products, from the code P-1000 and the price 0 on, and their catalog. @returns their ids, in the order of their codes */
export async function createSpades(address: string): Promise<readonly number[]> {
  await create(address, 'catalog', { code: 'garden', name: 'Garden tools' });
  const product = (price: number) => ({ code: `P-${1000 + price}`, name: `Spade ${price}`, price, catalog: 'garden' });
  await createMany(address, 'product', [...Array(60).keys()].map(product));
  return idsOf(address, 'product');
}

/** The ids of the oldest items, at most a hundred. */
export async function idsOf(address: string, type: string): Promise<readonly number[]> {
  const answer = await fetch(`${address}/api/cms/items/${type}/list?sort=id&limit=100`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '[]',
  });
  const { data } = (await answer.json()) as { data: readonly { id: number }[] };
  return data.map(({ id }) => id);
}

/** The stored values of an item, as text: JSON.parse would round numbers. */
export async function readText(address: string, type: string, id: number | string): Promise<string> {
  return (await fetch(`${address}/api/cms/items/${type}/${id}`)).text();
}

export async function change(address: string, type: string, id: number, values: object): Promise<void> {
  const answer = await fetch(`${address}/api/cms/items/${type}/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(values),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

export async function remove(address: string, type: string, id: number): Promise<void> {
  const answer = await fetch(`${address}/api/cms/items/${type}/${id}`, { method: 'DELETE' });
  if (!answer.ok) throw new Error(await answer.text());
}
