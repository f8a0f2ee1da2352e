import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { inTurn, load, median } from '../lib/load.mjs';

const items = '/api/cms/items/product';

/**
 * Throughput of the host and of the hand-written server, in turn, and the ratio pair by pair; processor time of each server's
 * process and of PostgreSQL per request. Before a scenario is measured, both must give the same data.
 * @param {{ seconds: number, rounds: number, products: number, scenarios?: string }} settings `scenarios` chooses by a part of
 * the name
 */
export async function compareRequests(host, handWritten, postgres, { seconds, rounds, products, scenarios = '' }) {
  const results = [];
  for (const scenario of allScenarios(products).filter(({ name }) => name.includes(scenarios))) {
    if (scenario.beside !== undefined) {
      results.push(await compareWithList(host, postgres, scenario, { seconds, rounds }));
      continue;
    }
    const run = (server, time = seconds) => measure(server, postgres, scenario, time);
    if (!scenario.deletes) await assertSameData(host, handWritten, scenario);
    await run(host, 1);
    const statement = await chooseStatement(handWritten, () => run(handWritten, 1));
    const pairs = await inTurn(
      rounds,
      () => run(host),
      () => run(handWritten),
    );
    results.push(summary(scenario.name, statement, pairs));
  }
  return results;
}

/** Requests that no hand-written server has are measured in turn with a list of the same host; the columns of the other side are the list's. */
async function compareWithList(host, postgres, { name, path, beside }, { seconds, rounds }) {
  const run = (scenario, time = seconds) => measure(host, postgres, { options: {}, ...scenario }, time);
  await run({ path }, 1);
  const pairs = await inTurn(
    rounds,
    () => run({ path }),
    () => run(beside),
  );
  return summary(name, 'list of the host', pairs);
}

function allScenarios(products) {
  const criterion = (field, operator, value) => JSON.stringify([{ field, operator, value }]);
  const list = (name, ...bodies) => ({ name, path: `${items}/list?limit=25`, options: { bodies } });
  const above = (percent) => criterion('price', 'MORE_THAN', String(10_000 - percent * 100));
  return [
    { name: 'list, first page (50)', path: `${items}/list`, options: { bodies: ['[]'] } },
    list('list, CONTAINS', criterion('name', 'CONTAINS', 'limited')),
    ...searches.map(([what, text, field]) => ({
      name: `search across types, ${what}, beside a list with the same CONTAINS`,
      path: `/api/cms/search?q=${encodeURIComponent(text)}`,
      beside: { path: `${items}/list?limit=25`, options: { bodies: [criterion(field, 'CONTAINS', text)] } },
    })),
    ...selectivities.map((percent) => list(`list, price above all but ${percent} %`, above(percent))),
    list('list, price, a mix of these', ...selectivities.map(above)),
    { name: 'get one', path: `${items}/{id}`, options: { method: 'GET', highestId: products } },
    { name: 'create', path: items, writes: true, options: { bodies: catalogs.map(newProduct) } },
    {
      name: 'update',
      path: `${items}/{id}`,
      writes: true,
      options: { method: 'PATCH', bodies: ['{"name":"Changed product {n}"}'], highestId: products },
    },
    { name: 'delete', path: `${items}/{next}`, deletes: true, options: { method: 'DELETE' } },
  ];
}

/** Texts that some, one, most and no products have, and the field in which they are looked for beside; names have digits as well. */
const searches = [
  ['200 matches', 'limited', 'name'],
  ['one code', 'P500000', 'code'],
  ['an id', '500000', 'name'],
  ['an id of other digits', '482913', 'name'],
  ['all match', 'pro', 'name'],
  ['none matches', 'zzzzzz', 'name'],
  ['two characters', 'pr', 'name'],
];

/** Percent of all products that a bound of the price leaves. */
const selectivities = [50, 10, 1, 0.1, 0.01];

const catalogs = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

function newProduct(catalog) {
  return JSON.stringify({ code: 'N{n}', name: 'New product {n}', price: 12.5, catalog });
}

async function measure(server, postgres, { path, deletes, options: given }, seconds) {
  const options = deletes
    ? { ...given, highestId: await addProducts(postgres.url, seconds * deletedPerSecond) }
    : given;
  const before = [server.cpuMs(), postgres.cpuMs()];
  const result = await load(`${server.address}${path}`, { seconds, ...options });
  const [own, database] = [server.cpuMs() - before[0], postgres.cpuMs() - before[1]];
  return { ...result, cpuMs: own / result.requests, databaseCpuMs: database / result.requests };
}

/** More than either server deletes. */
const deletedPerSecond = 4_000;

/** @returns the id of the first one; the others follow it */
async function addProducts(url, count) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `INSERT INTO catalog_product (code, name, price, catalog_id, approval_status, catalog_version)
       SELECT 'D' || nextval('gantry_change_sequence'), 'Deleted product', 1, 1, 'CHECK', 'STAGED' FROM generate_series(1, $1::int)
       RETURNING id`,
      [count],
    );
    return Number(rows[0].id);
  } finally {
    await client.end();
  }
}

/** The hand-written server keeps to the faster of a statement with a name and one without. */
async function chooseStatement(handWritten, run) {
  const speeds = new Map();
  for (const kind of ['unnamed', 'named']) {
    await handWritten.use(kind);
    speeds.set(kind, (await run()).perSecond);
  }
  const faster = speeds.get('named') > speeds.get('unnamed') ? 'named' : 'unnamed';
  await handWritten.use(faster);
  return faster;
}

async function assertSameData(host, handWritten, { name, path, writes, options }) {
  for (const body of options.bodies ?? [undefined]) {
    const ask = async ({ address }, number) => {
      const response = await fetch(`${address}${path.replace('{id}', '7')}`, {
        method: options.method ?? 'POST',
        headers: { 'content-type': 'application/json' },
        body: body?.replaceAll('{n}', `${process.pid}-same-${number}`),
      });
      const { data } = await response.json();
      return writes ? shapeOf(data) : data;
    };
    const both = [await ask(host, Math.random()), await ask(handWritten, Math.random())];
    if (!isDeepStrictEqual(...both)) {
      throw new Error([`${name}: the data differs`, ...both.map((data) => JSON.stringify(data))].join('\n'));
    }
  }
}

/** Two writes give two rows; what they are made of is the same. */
function shapeOf({ values }) {
  return { ...values, code: '', name: '', createdAt: '', updatedAt: '', version: '' };
}

function summary(scenario, statement, pairs) {
  const side = (index, name) => median(pairs.map((pair) => pair[index][name]));
  return {
    scenario,
    ratio: median(pairs.map(([own, other]) => own.perSecond / other.perSecond)),
    host: side(0, 'perSecond'),
    handWritten: side(1, 'perSecond'),
    hostCpuMs: side(0, 'cpuMs'),
    handWrittenCpuMs: side(1, 'cpuMs'),
    hostDatabaseCpuMs: side(0, 'databaseCpuMs'),
    handWrittenDatabaseCpuMs: side(1, 'databaseCpuMs'),
    hostP99: side(0, 'p99'),
    handWrittenP99: side(1, 'p99'),
    handWrittenStatement: statement,
    wrongAnswers: pairs.flat().reduce((sum, { wrong }) => sum + wrong, 0),
  };
}
