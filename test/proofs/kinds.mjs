import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isLosslessNumber, LosslessNumber, parse } from 'lossless-json';
import { startPlatform } from '../../scripts/lib/gantry.mjs';
import { root } from '../../scripts/lib/run.mjs';
import { createRandom } from './support/random.mjs';
import { createValues } from './support/random-values.mjs';

/**
 * Claim: a value of any kind, files included, is read as it was sent, with every digit and character; it is no change when it is sent again; and it is the
 * same after an export and an import, as CSV and as JSON lines. What is computed of other values is what these say.
 */
export const sizes = { ci: { items: 60 }, full: { items: 1_000 } };

const clients = 6;

export default async function prove({ seed, size, log }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-kinds-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const plugins = join(folder, 'plugins');
  mkdirSync(plugins);
  cpSync(join(root, 'test/samples/assortment'), join(plugins, 'assortment'), { recursive: true });
  const platform = await startPlatform(join(folder, 'home'), {
    GANTRY_PLUGIN_PATH: ['plugins', plugins].join(delimiter),
  });
  try {
    return await proveOn(platform.address, createRandom(seed), size.items, log);
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function proveOn(address, random, count, log) {
  const api = createApi(address);
  const suppliers = [];
  for (let index = 0; index < 12; index += 1) {
    suppliers.push((await api.create('supplier', `{"code":"s|${index}, \\"x\\""}`)).id);
  }
  const files = await uploadFiles(api, random);
  const items = makeItems(random, { suppliers, files }, count);
  log(`${count} items with ${Object.keys(items[0].found).length} fields`);
  await inTurn(items, async (item) => {
    const row = await api.create('goods', item.body);
    item.id = row.id;
    assertSame(row, item, 'the answer of its create');
  });
  await inTurn(items, async (item) => {
    assertSame(await api.get('goods', item.id), item, 'a read');
    const again = await api.change('goods', item.id, item.body);
    if (again.values.version !== '1') {
      const changes = await api.changes('goods', item.id);
      assert.fail(`${item.code}: the same values sent again are a change: ${changes} of ${item.body}`);
    }
  });
  log('created, read and sent again');
  for (const format of ['csv', 'jsonl']) await proveFile(api, items, format, log);
  return `${count} random values of each of ${Object.keys(items[0].found).length} fields: created, read, sent again, and exported and imported as CSV and JSON lines without a difference`;
}

/** Files of random bytes with names of any characters. @returns their addresses */
function uploadFiles(api, random) {
  const names = ['a.txt', 'Übersicht 100%.pdf', '日本語 #1.md', "o'clock?.zip", 'x,y;z|"w".csv', '=1+1.txt'];
  return Promise.all(
    names.map(async (name) => {
      const bytes = Uint8Array.from({ length: 1 + Math.floor(random() * 2_000) }, () => Math.floor(random() * 256));
      const content = name.endsWith('.pdf') ? Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes]) : bytes;
      const { url } = await api.upload(name, name.endsWith('.zip') ? emptyZip : content);
      assert.deepEqual(Buffer.from(await api.download(url)), Buffer.from(name.endsWith('.zip') ? emptyZip : content));
      return url;
    }),
  );
}

const emptyZip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');

function makeItems(random, ids, count) {
  const values = createValues(random, ids);
  return Array.from({ length: count }, (_none, index) => {
    const code = `g-${index}`;
    const made = Object.entries(values).map(([name, make]) => [name, random() < 0.05 ? none : make()]);
    const members = made.map(([name, { sent }]) => `${JSON.stringify(name)}:${sent}`);
    return {
      code,
      body: `{"code":"${code}",${members.join(',')}}`,
      found: withComputed(Object.fromEntries(made.map(([name, { found }]) => [name, parse(found)]))),
    };
  });
}

const none = { sent: 'null', found: 'null' };

/** Adds the values that the type `goods` computes. */
function withComputed(found) {
  const { decimal, integer, date, string, boolean } = found;
  return {
    ...found,
    bySql:
      decimal === null ? null : new LosslessNumber(plainSum(String(decimal), integer === null ? '0' : String(integer))),
    daysBySql: date === null ? null : dayAfter(date),
    byFunction: string === null ? null : `${String(boolean)}: ${string}`,
  };
}

/** Twice the first, with four decimals, and the second. */
function plainSum(decimal, integer) {
  const sum = 2n * BigInt(decimal.replace('.', '')) + 10_000n * BigInt(integer);
  const digits = String(sum < 0n ? -sum : sum).padStart(5, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

function dayAfter(day) {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}

async function proveFile(api, items, format, log) {
  const copy = `goods${format}`;
  const file = await api.exported('goods', format);
  const report = await api.imported(copy, format, file);
  assert.equal(report.created, String(items.length), `${format}: ${JSON.stringify(report)}`);
  const rows = await api.all(copy);
  for (const item of items) assertSame(rows.get(item.code), item, `a file of the format ${format}`);
  assert.equal(
    await api.exported(copy, format),
    file,
    `the file of the format ${format} is another one after an import`,
  );
  const again = await api.imported(copy, format, file, '?match=code');
  assert.equal(again.unchanged, String(items.length), `${format} again: ${JSON.stringify(again)}`);
  log(`${format}: ${Math.round(Buffer.byteLength(file) / 1_000)} kB`);
}

/** References are compared by their ids, instants and times without zeros at their ends, members of objects in any order, numbers by their value. */
function assertSame(row, { code, found }, where) {
  assert.ok(row !== undefined, `${code} is not in ${where}`);
  for (const [name, value] of Object.entries(found)) {
    const shown = row.values[name];
    const isEmptyList = value === null && Array.isArray(shown) && shown.length === 0;
    if (isEmptyList || canonical(plainForm(name, shown)) === canonical(plainForm(name, value))) continue;
    assert.fail(`${code}.${name} by ${where} is ${canonical(shown)} and was sent as ${canonical(value)}`);
  }
}

function plainForm(name, value) {
  if (value === null) return null;
  switch (name) {
    case 'supplier':
      return value.id ?? value;
    case 'suppliers':
      return value.map((one) => one.id ?? one);
    case 'double':
      return Number(String(value));
    case 'datetime':
      return new Date(value).toISOString();
    case 'time':
      return value.replace(/\.(\d*?)0+$/, '.$1').replace(/\.$/, '');
    default:
      return value;
  }
}

function canonical(value) {
  if (isLosslessNumber(value)) return plainNumber(String(value));
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

/** `-0012.3400e2` and `-1234` are the same. */
function plainNumber(text) {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  if (trimmed === '') return '0';
  return `${sign}${trimmed}e${Number(exponent) - fraction.length + digits.length - trimmed.length}`;
}

async function inTurn(items, work) {
  const queue = items.values();
  const client = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: clients }, client));
}

const mediaTypes = { csv: 'text/csv', jsonl: 'application/x-ndjson' };

function createApi(origin) {
  const ask = async (method, path, body, type = 'application/json') => {
    const headers = body === undefined ? {} : { 'content-type': type };
    const response = await fetch(`${origin}/api/cms/${path}`, { method, headers, body });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${path} answers ${response.status} ${text} to ${body?.slice(0, 2_000)}`);
    }
    return text;
  };
  const data = async (...request) => texts(parse(await ask(...request)).data);
  return {
    async upload(name, bytes) {
      const address = `${origin}/media/files?${new URLSearchParams({ name })}`;
      const headers = { 'content-type': 'application/octet-stream' };
      const response = await fetch(address, { method: 'POST', headers, body: bytes });
      const text = await response.text();
      if (!response.ok) throw new Error(`The upload of ${name} answers ${response.status} ${text}`);
      return JSON.parse(text).data;
    },
    download: async (path) => (await fetch(`${origin}${path}`)).arrayBuffer(),
    create: (type, body) => data('POST', `items/${type}`, body),
    change: (type, id, body) => data('PATCH', `items/${type}/${id}`, body),
    get: (type, id) => data('GET', `items/${type}/${id}`),
    changes: (type, id) => ask('GET', `items/${type}/${id}/history`),
    all: async (type) => {
      const rows = await data('POST', `items/${type}/list?limit=1000`, '[]');
      return new Map(rows.map((row) => [row.values.code, row]));
    },
    exported: (type, format) => ask('POST', `exports/${type}?format=${format}`, '[]'),
    imported: (type, format, file, query = '') => data('POST', `imports/${type}${query}`, file, mediaTypes[format]),
  };
}

/** Ids, versions and counts as text; all else as it is. */
function texts(answer) {
  const shown = (value) => (isLosslessNumber(value) ? String(value) : value);
  if (Array.isArray(answer)) return answer.map(texts);
  const members = Object.entries(answer).map(([name, value]) => [name, shown(value)]);
  const { values, ...others } = Object.fromEntries(members);
  return values === undefined ? others : { ...others, values: { ...values, version: shown(values.version) } };
}
