/**
 * What a careful team would write by hand for one type: node:http and pg, prepared statements, JSON made by PostgreSQL.
 * The bench holds the platform against it, on the same rows. Answers are the same in shape and size.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import pg from 'pg';
import Cursor from 'pg-cursor';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c TimeZone=UTC' });

const row = `json_build_object('id', t.id, 'values', json_build_object('code', t.code, 'name', t.name, 'price', t.price,
  'catalog', json_build_object('id', c.id, 'label', c.name), 'approvalStatus', t.approval_status, 'image', t.image,
  'catalogVersion', t.catalog_version, 'createdAt', t.created_at, 'updatedAt', t.updated_at, 'version', t.version))`;

const page = (where) => `SELECT coalesce(json_agg(p.j)::text, '[]') FROM (SELECT ${row} AS j FROM
  (SELECT * FROM catalog_product ${where} ORDER BY id DESC LIMIT $1) t JOIN catalog_catalog c ON c.id = t.catalog_id
  ORDER BY t.id DESC) p`;

const statements = {
  first: { name: 'first', text: page('') },
  moreThan: { name: 'moreThan', text: page('WHERE price > $2') },
  // Not by name: a plan for any value would pass the trigram index by.
  contains: { text: page('WHERE name ILIKE $2') },
  one: {
    name: 'one',
    text: `SELECT ${row}::text FROM catalog_product t JOIN catalog_catalog c ON c.id = t.catalog_id WHERE t.id = $1`,
  },
  create: {
    name: 'create',
    text: `WITH t AS (INSERT INTO catalog_product (code, name, price, catalog_id, approval_status, catalog_version)
      VALUES ($1, $2, $3, $4, 'CHECK', 'STAGED') RETURNING *)
      SELECT ${row}::text FROM t JOIN catalog_catalog c ON c.id = t.catalog_id`,
  },
};

const server = createServer((request, response) => void answer(request, response));

async function answer(request, response) {
  try {
    const url = new URL(request.url, 'http://127.0.0.1');
    const [, , , , , last] = url.pathname.split('/');
    if (request.method === 'GET') return send(response, 200, await text(statements.one, [last]));
    const body = JSON.parse((await read(request)) || '[]');
    if (last === 'list') return send(response, 200, await list(body, Number(url.searchParams.get('limit') ?? 50)));
    if (last === 'search') return await search(response, Number(url.searchParams.get('limit')));
    const { code, name, price, catalog } = body;
    return send(response, 201, await text(statements.create, [code, name, price, catalog]));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
}
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.once('disconnect', () => process.exit());

async function list([criterion], limit) {
  if (criterion === undefined) return text(statements.first, [limit]);
  if (criterion.operator === 'CONTAINS') return text(statements.contains, [limit, `%${criterion.value}%`]);
  return text(statements.moreThan, [limit, criterion.value]);
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

async function text(statement, values) {
  const result = await pool.query({ ...statement, values, rowMode: 'array' });
  return result.rows[0][0];
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
