import sharp from 'sharp';

const tools = [
  ['Folding spade', 39.9, '#2f6f4f', 'APPROVED'],
  ['Hand trowel', 12.5, '#b5532a', 'APPROVED'],
  ['Watering can, 8 litres', 24, '#3b6ea5', 'APPROVED'],
  ['Bypass secateurs', 34.95, '#8a2f4b', 'CHECK'],
  ['Leather gloves', 18, '#7a5c2e', 'APPROVED'],
  ['Garden twine, 100 m', 6.5, '#4f7a2f', 'APPROVED'],
  ['Rake with 14 teeth', 27.8, '#555d6b', 'UNAPPROVED'],
  ['Wheelbarrow', 89, '#23795e', 'APPROVED'],
  ['Seed tray with lid', 9.95, '#6a4a9c', 'CHECK'],
  ['Cold frame', 149, '#2b7f93', 'APPROVED'],
];

const longText = [
  'Good tools last for decades when they are cleaned and oiled before the winter.',
  'A spade, a trowel and a pair of secateurs are enough for the first year. Buy the others when you miss them.',
].join('\n\n');

/** A small shop for gardeners, with more kinds of changes than the start page shows. Resolves with the ids of what the pictures open. */
export async function createSampleContent(address) {
  const create = (type, values) => send(address, 'POST', `/api/cms/items/${type}`, values);
  /** @param version that the item has */
  const change = (type, id, version, values) =>
    send(address, 'PATCH', `/api/cms/items/${type}/${id}`, values, { 'if-match': `"${version}"` });
  const garden = await create('catalog', { code: 'garden', name: 'Gardening' });
  await change('catalog', garden, 1, { name: 'Garden' });
  await create('catalog', { code: 'balcony', name: 'Balcony and terrace' });
  const category = await create('category', { code: 'tools', name: 'Tool', catalog: garden });
  await change('category', category, 1, { name: 'Tools' });
  const products = [];
  for (let index = 0; index < 58; index += 1) {
    const [name, price, colour, approvalStatus] = tools[index % tools.length];
    products.push(
      await create('product', {
        code: `P-${1001 + index}`,
        name: index < tools.length ? name : `${name}, series ${Math.floor(index / tools.length) + 1}`,
        price: price + Math.floor(index / tools.length) * 5,
        catalog: garden,
        catalogVersion: index % 3 === 0 ? 'ONLINE' : 'STAGED',
        approvalStatus,
        image: await upload(address, colour, index % tools.length),
      }),
    );
  }
  const titles = [
    'Ten tools for a small garden',
    'How to prune roses',
    'A pond on the balcony',
    'Compost in six weeks',
  ];
  const articles = [];
  for (const [index, title] of titles.entries()) {
    const slug = title.toLowerCase().replaceAll(' ', '-');
    const body = 'Good tools last for decades when they are cleaned and oiled before the winter.';
    articles.push(
      await create('article', { title, slug, body, image: await upload(address, tools[index + 2][2], index + 2) }),
    );
  }
  const trending = await create('trendingarticlecomponent', { title: 'Most read', articles: articles.slice(0, 3) });
  const sale = { code: 'spring-sale', name: 'Spring sale', active: false, products: products.slice(0, 4) };
  const promotion = await create('promotion', sale);
  const event = await create('event', { code: 'open-garden-day', name: 'Open garden day', place: 'Town hall' });
  const [product] = products;
  const [article] = articles;
  await change('event', event, 1, { place: 'Town hall, Springfield' });
  await change('promotion', promotion, 1, { active: true });
  await change('article', article, 1, { body: longText });
  await change('product', product, 1, { price: 42.5 });
  await change('product', product, 2, { price: 39.9, approvalStatus: 'CHECK' });
  await change('product', product, 3, { approvalStatus: 'APPROVED' });
  return { garden, product, article, trending };
}

/**
 * One order that waits for its payment, one for its dispatch, one delivered, one not delivered and refunded, one that failed before
 * its payment, and one that was paid and lost its consignment.
 */
export async function createSampleOrders(address) {
  const ids = ['A-1001', 'A-1002', 'A-1003', 'A-1004', 'A-1005', 'A-1006'];
  await until(async () => (await status(address, 'GET', '/workflows')) === 200);
  for (const id of ids) await send(address, 'POST', '/place-order', { orderId: id });
  for (const id of [...ids.slice(0, 3), 'A-1006']) await send(address, 'POST', `/payment?orderId=${id}`);
  await send(address, 'PUT', '/consignments/A-1001/delivery', { delivered: true });
  await send(address, 'PUT', '/consignments/A-1002/delivery', { delivered: false });
  for (const id of ['A-1001', 'A-1002']) {
    await until(async () => (await status(address, 'POST', `/consignments/${id}/dispatched`)) < 300);
  }
  await until(async () => (await status(address, 'POST', '/consignments/A-1001/confirmed')) < 300);
  await end(address, 'order-A-1005', 'The customer ordered twice');
  await until(async () => (await status(address, 'GET', '/workflows/consignment-A-1006')) === 200);
  await end(address, 'consignment-A-1006', 'The carrier lost the parcel');
  for (const id of ['A-1001', 'A-1002', 'A-1006']) {
    await until(async () => (await stateOf(address, id)) !== 'RUNNING');
  }
  // The service finds out about a workflow that was terminated by itself, every half minute.
  await until(async () => (await attentionOf(address)) === 2);
}

async function end(address, workflowId, reason) {
  await send(address, 'POST', `/workflows/${workflowId}/terminate`, { reason, requestedBy: 'Ann' });
}

async function attentionOf(address) {
  return (await dataOf(await fetch(`${address}/orders/counts`))).attention.count;
}

async function stateOf(address, orderId) {
  const { data } = await (await fetch(`${address}/workflows/order-${orderId}`)).json();
  return data?.status;
}

/** A picture of its own for every colour: a plain ground with a shape on it. */
async function upload(address, colour, index) {
  const circle = `<circle cx="${140 + index * 14}" cy="150" r="${70 + index * 4}" fill="white" fill-opacity="0.35"/>`;
  const bar = `<rect x="${60 + index * 12}" y="60" width="26" height="180" rx="13" fill="white" fill-opacity="0.7"/>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="${colour}"/>${circle}${bar}</svg>`;
  const body = await sharp(Buffer.from(drawing)).png().toBuffer();
  const answer = await fetch(`${address}/media/images`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body,
  });
  return (await dataOf(answer)).url;
}

async function send(address, method, path, body, headers = {}) {
  const json =
    body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
  return (await dataOf(await fetch(`${address}${path}`, { method, ...json })))?.id;
}

async function dataOf(answer) {
  const { data, error } = await answer.json();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${JSON.stringify(error)}`);
  return data;
}

async function status(address, method, path) {
  return (await fetch(`${address}${path}`, { method })).status;
}

async function until(isSo) {
  const deadline = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('What the pictures need did not happen within a minute.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
