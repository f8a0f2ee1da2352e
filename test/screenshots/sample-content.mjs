import sharp from 'sharp';
import { drawingOf } from './sample-drawings.mjs';
import { createFailingWebhook, untilDelivered, untilFailing } from './sample-webhooks.mjs';

const tools = [
  ['Folding spade', 39.9, 'APPROVED'],
  ['Hand trowel with ash handle', 12.5, 'APPROVED'],
  ['Watering can, 8 litres', 24, 'APPROVED'],
  ['Bypass secateurs, 21 cm', 34.95, 'CHECK'],
  ['Leather gloves', 18, 'APPROVED'],
  ['Garden twine, 100 m', 6.5, 'APPROVED'],
  ['Rake with 14 teeth', 27.8, 'UNAPPROVED'],
  ['Wheelbarrow, 90 litres', 89, 'APPROVED'],
  ['Seed tray with lid', 9.95, 'CHECK'],
  ['Cold frame, larch, 120 × 60 cm', 149, 'APPROVED'],
];

const longText = [
  'Good tools last for decades when they are cleaned and oiled before the winter.',
  'A spade, a trowel and a pair of secateurs are enough for the first year. Buy the others when you miss them.',
].join('\n\n');

/**
 * A small shop for gardeners of several people and days, with more kinds of changes than the start page shows. The last change is one
 * that a webhook fails to deliver. Resolves with the ids of what the pictures open.
 * @param search the id of the webhook that gets the products
 */
export async function createSampleContent(album, search) {
  const { clock, senders } = album;
  const { ann, tomas, sofia } = senders;
  clock.at('2026-02-23T09:05:00Z');
  const garden = await create(ann, 'catalog', { code: 'garden', name: 'Gardening' });
  await create(ann, 'catalog', { code: 'balcony', name: 'Balcony and terrace' });
  const category = await create(ann, 'category', { code: 'tools', name: 'Tools', catalog: garden });
  clock.at('2026-02-24T13:30:00Z');
  await change(tomas, 'catalog', garden, 1, { name: 'Garden' });
  await change(tomas, 'category', category, 1, { name: 'Garden tools' });
  const products = await createProducts(clock, senders, garden, search);
  const articles = await createArticles(clock, senders);
  clock.at('2026-02-27T11:48:00Z');
  const trending = await create(ann, 'trendingarticlecomponent', {
    title: 'Most read',
    articles: articles.slice(0, 3),
  });
  const sale = { code: 'spring-sale', name: 'Spring sale', active: false, products: products.slice(0, 4) };
  const promotion = await create(ann, 'promotion', sale);
  clock.at('2026-03-01T15:12:00Z');
  const event = await create(sofia, 'event', { code: 'open-garden-day', name: 'Open garden day', place: 'Town hall' });
  clock.at('2026-03-01T17:30:00Z');
  await change(ann, 'event', event, 1, { place: 'Town hall, Springfield' });
  await change(ann, 'promotion', promotion, 1, { active: true });
  const [product] = products;
  const [article] = articles;
  clock.at('2026-03-02T07:58:00Z');
  await change(tomas, 'product', product, 1, { price: 42.5 });
  await change(tomas, 'product', product, 2, { price: 39.9, approvalStatus: 'CHECK' });
  await untilDelivered(ann, search);
  clock.at('2026-03-02T08:15:00Z');
  await change(ann, 'article', articles[1], 1, { body: longText });
  await change(ann, 'product', product, 3, { approvalStatus: 'APPROVED' });
  await untilDelivered(ann, search);
  clock.at('2026-03-02T08:42:00Z');
  const newsletter = await createFailingWebhook(album);
  await change(sofia, 'article', article, 1, { body: longText });
  await untilFailing(ann, newsletter);
  return { garden, product, article, trending, newsletter };
}

async function createProducts(clock, { ann, tomas, sofia }, garden, search) {
  const images = [];
  for (const index of tools.keys()) images.push(await upload(ann, index));
  const products = [];
  for (let index = 0; index < 58; index += 1) {
    if (index % 20 === 0) {
      if (index > 0) await untilDelivered(ann, search);
      clock.at(`2026-02-2${4 + index / 20}T16:20:00Z`);
    }
    const [name, price, approvalStatus] = tools[index % tools.length];
    const series = Math.floor(index / tools.length);
    products.push(
      await create(index < 20 ? tomas : sofia, 'product', {
        code: `P-${1001 + index}`,
        name: series === 0 ? name : `${name}, series ${series + 1}`,
        price: price + series * 5,
        catalog: garden,
        catalogVersion: index % 3 === 0 ? 'ONLINE' : 'STAGED',
        approvalStatus,
        image: images[index % tools.length],
      }),
    );
  }
  await untilDelivered(ann, search);
  return products;
}

const titles = ['Ten tools for a small garden', 'How to prune roses', 'A pond on the balcony', 'Compost in six weeks'];

async function createArticles(clock, { ann, sofia }) {
  clock.at('2026-02-27T10:02:00Z');
  const articles = [];
  for (const [index, title] of titles.entries()) {
    const slug = title.toLowerCase().replaceAll(' ', '-');
    const body = 'Good tools last for decades when they are cleaned and oiled before the winter.';
    articles.push(await create(sofia, 'article', { title, slug, body, image: await upload(ann, index + 2) }));
  }
  return articles;
}

async function create({ send }, type, values) {
  return (await send('POST', `/api/cms/items/${type}`, values)).id;
}

/** @param version that the item has */
async function change({ send }, type, id, version, values) {
  await send('PATCH', `/api/cms/items/${type}/${id}`, values, { 'if-match': `"${version}"` });
}

async function upload({ send }, index) {
  const body = await sharp(Buffer.from(drawingOf(index)))
    .png()
    .toBuffer();
  return (await send('POST', '/media/images', body, { 'content-type': 'application/octet-stream' })).url;
}
