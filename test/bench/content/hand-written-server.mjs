/**
 * A server as a careful team would write it by hand for one type: node:http and pg, JSON made by PostgreSQL, and no checks, cursors,
 * metrics or request ids. The bench compares the platform with it, on the same rows; the data in the answers is the same.
 * Whether its statements are prepared is chosen by a message: `{ use: "named" }` or `{ use: "unnamed" }`.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import pg from 'pg';
import Cursor from 'pg-cursor';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c TimeZone=UTC' });

const row = `json_build_object('id', t.id, 'values', json_build_object('code', t.code, 'name', t.name, 'price', t.price,
  'catalog', json_build_object('id', c.id, 'label', c.name), 'approvalStatus', t.approval_status, 'image', t.image,
  'catalogVersion', t.catalog_version, 'createdAt', t.created_at, 'updatedAt', t.updated_at, 'version', t.version))`;

/** The limit is part of the text, so that a plan for any values knows it. */
const page = (where) => (limit) =>
  `SELECT coalesce(json_agg(p.j)::text, '[]') FROM (SELECT ${row} AS j FROM
  (SELECT * FROM catalog_product ${where} ORDER BY id DESC LIMIT ${limit}) t JOIN catalog_catalog c ON c.id = t.catalog_id
  ORDER BY t.id DESC) p`;

const statements = {
  first: page(''),
  moreThan: page('WHERE price > $1'),
  contains: page('WHERE name ILIKE $1'),
  inCatalog: page('WHERE catalog_id = $1'),
  inCatalogAbove: page('WHERE catalog_id = $1 AND price > $2'),
  own: page('WHERE created_by = $1'),
  one: () => `SELECT ${row}::text FROM catalog_product t JOIN catalog_catalog c ON c.id = t.catalog_id WHERE t.id = $1`,
  create:
    () => `WITH t AS (INSERT INTO catalog_product (code, name, price, catalog_id, approval_status, catalog_version)
      VALUES ($1, $2, $3, $4, 'CHECK', 'STAGED') RETURNING *)
      SELECT ${row}::text FROM t JOIN catalog_catalog c ON c.id = t.catalog_id`,
  update:
    () => `WITH t AS (UPDATE catalog_product SET name = $2, version = version + 1, updated_at = now() WHERE id = $1 RETURNING *)
      SELECT ${row}::text FROM t JOIN catalog_catalog c ON c.id = t.catalog_id`,
  remove: () => 'DELETE FROM catalog_product WHERE id = $1',
};
let isNamed = true;

const server = createServer((request, response) => void answer(request, response));

async function answer(request, response) {
  try {
    const url = new URL(request.url, 'http://127.0.0.1');
    const [, , , , , last] = url.pathname.split('/');
    if (request.method === 'DELETE') {
      await text('remove', [last]);
      return response.writeHead(204).end();
    }
    if (request.method === 'GET') return send(response, 200, await text('one', [last]));
    const body = JSON.parse((await read(request)) || '[]');
    if (request.method === 'PATCH') return send(response, 200, await text('update', [last, body.name]));
    if (last === 'list') return send(response, 200, await list(body, url.searchParams));
    if (last === 'search') return await search(response, Number(url.searchParams.get('limit')));
    const { code, name, price, catalog } = body;
    return send(response, 201, await text('create', [code, name, price, catalog]));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
}
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.once('disconnect', () => process.exit());
process.on('message', ({ use }) => {
  isNamed = use === 'named';
  process.send({ used: use });
});

async function list([criterion], parameters) {
  const limit = Number(parameters.get('limit') ?? 50);
  const [catalog, user] = [parameters.get('catalog'), parameters.get('createdBy')];
  if (catalog !== null && criterion !== undefined) return text('inCatalogAbove', [catalog, criterion.value], limit);
  if (catalog !== null) return text('inCatalog', [catalog], limit);
  if (user !== null) return text('own', [user], limit);
  if (criterion === undefined) return text('first', [], limit);
  if (criterion.operator === 'CONTAINS') return text('contains', [`%${criterion.value}%`], limit);
  return text('moreThan', [criterion.value], limit);
}

async function search(response, limit) {
  const client = await pool.connect();
  const cursor = client.query(
    new Cursor(
      `SELECT json_build_object('id', id, 'label', 'Product', 'subLabel', created_at)::text FROM catalog_product LIMIT $1`,
      [limit],
      { rowMode: 'array' },
    ),
  );
  response.setHeader('content-type', 'application/json');
  response.write('{"data":[');
  let separator = '';
  for (let rows = await cursor.read(1000); rows.length > 0; rows = await cursor.read(1000)) {
    if (!response.write(separator + rows.join(','))) await once(response, 'drain');
    separator = ',';
  }
  response.end(']}');
  await cursor.close();
  client.release();
}

async function text(statement, values, limit) {
  const name = isNamed ? `${statement} ${limit}` : undefined;
  const result = await pool.query({ name, text: statements[statement](limit), values, rowMode: 'array' });
  return result.rows[0]?.[0];
}

async function read(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

function send(response, status, data) {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(`{"data":${data}}`);
}
