/**
 * Costs of sign-in and roles: requests with a credential beside the same requests to a platform that is open, and lists of a role
 * with a condition on items beside a hand-written server with the same condition in its SQL.
 */
import pg from 'pg';
import { createAdministrator, createServiceAccount, withIdentity } from '../lib/identity.mjs';
import { inTurn, load, median } from '../lib/load.mjs';
import { startDatabase, startHandWritten, startHost } from '../lib/servers.mjs';
import { analyse, fill } from './fill.mjs';

const items = '/api/cms/items/product';
const on = { plugin: 'catalog', type: 'product' };

/** @param {{ seconds: number, rounds: number, products: number, environment: object }} settings */
export async function compareRights(settings) {
  const [signedIn, open] = [await startDatabase(), await startDatabase()];
  try {
    await filled(signedIn, settings, settings.products);
    await filled(open, settings, Math.min(10_000, settings.products));
    const credentials = await switchOn(signedIn);
    await analyse(signedIn.url);
    // A proxy is trusted, so that the flood comes from many addresses.
    const environment = { ...settings.environment, GANTRY_TRUSTED_PROXIES: '127.0.0.1' };
    const [host, openHost] = [await startHost(signedIn, environment), await startHost(open, settings.environment)];
    const handWritten = await startHandWritten(signedIn);
    try {
      return {
        signIn: await compareSignIn(host, openHost, credentials, settings),
        conditions: await compareConditions(host, handWritten, credentials, settings),
        flood: await compareFlood(host, credentials, settings),
      };
    } finally {
      await Promise.all([host.stop(), openHost.stop(), handWritten.stop()]);
    }
  } finally {
    await Promise.all([signedIn.stop(), open.stop()]);
  }
}

async function filled(database, { environment }, products) {
  await (await startHost(database, environment)).stop();
  await fill(database.url, products);
  // Creates the indexes again.
  await (await startHost(database, environment)).stop();
  await analyse(database.url);
}

/** An administrator, and a service account for each role. @returns headers by what they are for */
function switchOn(database) {
  return withIdentity(database, async (identity) => {
    const secret = await createAdministrator(identity);
    const conditions = {
      catalog: [{ field: 'catalog', operator: 'EQUALS', value: '3' }],
      own: [{ field: 'createdBy', operator: 'EQUALS', value: '$user.id' }],
    };
    const accounts = {};
    for (const [name, where] of Object.entries(conditions)) {
      const grants = [
        { on, actions: ['read'], where },
        { on: { plugin: 'catalog', type: 'catalog' }, actions: ['read'] },
      ];
      await identity.roles.create({ name, displayName: name, description: '', grants, permissions: [] });
      accounts[name] = await createServiceAccount(identity, name, [name]);
    }
    await giveProducts(database.url, accounts.own.id);
    return { ...accounts, token: await createServiceAccount(identity, 'reader', ['reader']), secret };
  });
}

/** One product in a thousand is the user's. */
async function giveProducts(url, user) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('UPDATE catalog_product SET created_by = $1, updated_by = $1 WHERE id % 1000 = 0', [user]);
  await client.end();
}

async function compareSignIn(host, openHost, credentials, { seconds, rounds }) {
  const session = { header: `cookie: ${await sessionOf(host, credentials.secret)}` };
  const options = { method: 'GET', highestId: 1_000 };
  const measure = async (server, header) => {
    const before = server.cpuMs();
    const result = await load(`${server.address}${items}/{id}`, { seconds, ...options, header });
    return { ...result, cpuUs: (1_000 * (server.cpuMs() - before)) / result.requests };
  };
  const results = [];
  for (const [credential, { header }] of Object.entries({ token: credentials.token, session })) {
    await measure(host, header);
    await measure(openHost);
    const pairs = await inTurn(
      rounds,
      () => measure(host, header),
      () => measure(openHost),
    );
    results.push({
      credential,
      signedInCpuUs: median(pairs.map(([own]) => own.cpuUs)),
      openCpuUs: median(pairs.map(([, other]) => other.cpuUs)),
      differenceCpuUs: median(pairs.map(([own, other]) => own.cpuUs - other.cpuUs)),
      wrongAnswers: pairs.flat().reduce((sum, { wrong }) => sum + wrong, 0),
    });
  }
  return results;
}

async function sessionOf({ address }, secret) {
  const response = await fetch(`${address}/api/platform/one-time-links`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ secret, password: 'correct horse battery staple' }),
  });
  return response.headers.getSetCookie()[0].split(';')[0];
}

async function compareConditions(host, handWritten, credentials, { seconds, rounds }) {
  const priced = JSON.stringify([{ field: 'price', operator: 'MORE_THAN', value: '9000' }]);
  const scenarios = [
    ['one catalog of ten, first page', credentials.catalog, '[]', 'catalog=3'],
    ['one catalog of ten, price above all but 10 %', credentials.catalog, priced, 'catalog=3'],
    ['own items, one in a thousand', credentials.own, '[]', `createdBy=${credentials.own.id}`],
  ];
  const results = [];
  for (const [scenario, { header }, body, condition] of scenarios) {
    const own = (time = seconds) =>
      load(`${host.address}${items}/list?limit=25`, { seconds: time, bodies: [body], header });
    const other = (time = seconds) =>
      load(`${handWritten.address}${items}/list?limit=25&${condition}`, { seconds: time, bodies: [body] });
    await assertSameIds(
      [`${host.address}${items}/list?limit=25`, header],
      [`${handWritten.address}${items}/list?limit=25&${condition}`],
      body,
    );
    await own(1);
    const pairs = await inTurn(rounds, own, other);
    results.push({
      scenario,
      ratio: median(pairs.map(([one, two]) => one.perSecond / two.perSecond)),
      host: median(pairs.map(([one]) => one.perSecond)),
      handWritten: median(pairs.map(([, two]) => two.perSecond)),
      wrongAnswers: pairs.flat().reduce((sum, { wrong }) => sum + wrong, 0),
    });
  }
  return results;
}

/** Latency of some 200 reads a second by token, alone and while wrong passwords are sent from thousands of addresses. */
async function compareFlood(host, { token: { header } }, { seconds, rounds }) {
  const read = () =>
    load(`${host.address}${items}/{id}`, {
      seconds,
      method: 'GET',
      highestId: 1_000,
      header,
      connections: 4,
      pauseMs: 20,
    });
  const flood = () =>
    load(`${host.address}/api/platform/session`, {
      ...{ seconds: seconds + 1, connections: 8, header: 'x-forwarded-for: 2001:db8:{c}::1' },
      bodies: [JSON.stringify({ login: 'user{n}@example.com', password: 'a wrong password' })],
    });
  await read();
  const pairs = await inTurn(rounds, read, async () => {
    const [result, wrong] = await Promise.all([read(), flood()]);
    return { ...result, signIns: wrong.perSecond };
  });
  return {
    p99: median(pairs.map(([alone]) => alone.p99)),
    p99InFlood: median(pairs.map(([, inFlood]) => inFlood.p99)),
    ratio: median(pairs.map(([alone, inFlood]) => inFlood.p99 / alone.p99)),
    signInsPerSecond: median(pairs.map(([, { signIns }]) => signIns)),
    wrongAnswers: pairs.flat().reduce((sum, { wrong }) => sum + wrong, 0),
  };
}

async function assertSameIds(...rest) {
  const body = rest.pop();
  const [one, other] = await Promise.all(
    rest.map(async ([address, header = 'accept: */*']) => {
      const [name, value] = header.split(/: (.*)/);
      const headers = { 'content-type': 'application/json', [name]: value };
      const { data } = await (await fetch(address, { method: 'POST', headers, body })).json();
      return data.map(({ id }) => id).join();
    }),
  );
  if (one === '' || one !== other) throw new Error(`The items differ: ${one} and ${other}`);
}
