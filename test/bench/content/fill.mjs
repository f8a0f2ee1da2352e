import pg from 'pg';

/** Every so many products one name has the word that the CONTAINS scenario looks for. */
const rareEvery = 5000;

/** Whether the tables hold what {@link fill} puts there; what a benchmark created since is deleted. */
export async function isFilled(url, products) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`SELECT to_regclass('catalog_product') IS NOT NULL AS exists`);
    if (!rows[0].exists) return false;
    await client.query('DELETE FROM catalog_product WHERE id > $1', [products]);
    const found = await client.query('SELECT count(*)::int AS products FROM catalog_product');
    if (found.rows[0].products === 0 || found.rows[0].products === products) return found.rows[0].products > 0;
    throw new Error(`BENCH_HOME has ${found.rows[0].products} products, not ${products}. Name another folder.`);
  } finally {
    await client.end();
  }
}

/**
 * Fills the tables of the catalog plugin. Secondary indexes are dropped meanwhile: the next start of the host finds them
 * missing and creates them, which takes a fraction of the time.
 */
export async function fill(url, products) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT indexname FROM pg_indexes WHERE tablename = 'catalog_product' AND indexname <> 'catalog_product_pkey'`,
    );
    for (const { indexname } of rows) await client.query(`DROP INDEX "${indexname}"`);
    await client.query(
      `INSERT INTO catalog_catalog (code, name) SELECT 'cat' || g, 'Catalog ' || g FROM generate_series(1, 10) g`,
    );
    await client.query(
      `INSERT INTO catalog_product (code, name, price, catalog_id, approval_status, catalog_version)
       SELECT 'P' || g, 'Product ' || md5(g::text) || CASE WHEN g % $2::int = 0 THEN ' limited edition' ELSE '' END,
         (g::bigint * 7919 % 1000000) / 100.0, 1 + g % 10, 'CHECK', 'STAGED' FROM generate_series(1, $1::int) g`,
      [products, rareEvery],
    );
  } finally {
    await client.end();
  }
}

export async function analyse(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.end();
}
