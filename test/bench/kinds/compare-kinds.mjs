/**
 * Costs of field kinds: lists of a type with 60 fields of every kind, and its form in Chromium, in turn with a type whose fields have the
 * same values as text.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createRandom } from '../../proofs/support/random.mjs';
import { createValues } from '../../proofs/support/random-values.mjs';
import { inTurn, load, median } from '../lib/load.mjs';
import { startDatabase, startHost } from '../lib/servers.mjs';
import { compareForms } from './compare-forms.mjs';
import { fieldsOf, writeSpreadPlugin } from './spread-plugin.mjs';

const fieldCount = 60;
const itemCount = 500;

/** @param {{ seconds: number, rounds: number, note(text: string): void }} settings */
export async function compareKinds({ seconds, rounds, note }) {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-plugins-'));
  writeSpreadPlugin(folder, fieldCount);
  const database = await startDatabase();
  try {
    const host = await startHost(database, { GANTRY_PLUGIN_PATH: ['plugins', folder].join(delimiter) });
    try {
      note('filling items of every kind');
      await fillBoth(host.address, itemCount);
      const lists = [];
      for (const scenario of scenarios) {
        note(scenario.name);
        lists.push(await compareLists({ host, database, scenario, seconds, rounds }));
      }
      note('forms');
      const names = fieldsOf(fieldCount).map(({ name }) => name);
      return { lists, forms: await compareForms(host.address, names, Math.max(rounds, 15)) };
    } finally {
      await host.stop();
    }
  } finally {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const scenarios = [
  { name: '50 items', query: 'limit=50', criteria: [] },
  { name: '50 items by a day', query: 'limit=50&sort=-date', criteria: [] },
  { name: '50 items with a part of an address', query: 'limit=50', criteria: [criterion('email', 'CONTAINS', 'a')] },
  { name: '500 items, one connection', query: 'limit=500', criteria: [], connections: 1 },
];

function criterion(field, operator, value) {
  return { field, operator, value };
}

/** The same values for both types: what is no text has the text of its JSON. */
export async function fillBoth(address, count) {
  const random = createRandom(1);
  const file = await sent(`${address}/media/files?name=a.txt`, 'application/octet-stream', 'text');
  const values = createValues(random, { suppliers: [], files: [file.url] });
  const fields = fieldsOf(fieldCount);
  for (let index = 0; index < count; index += 1) {
    const made = fields.map(({ kind, name }) => [name, values[kind]().sent]);
    const mixed = made.map(([name, json]) => `"${name}":${json}`);
    const texts = made.map(([name, json]) => `"${name}":${json.startsWith('"') ? json : JSON.stringify(json)}`);
    await Promise.all([
      sent(`${address}/api/cms/items/mixed`, 'application/json', `{${mixed.join(',')}}`),
      sent(`${address}/api/cms/items/texts`, 'application/json', `{${texts.join(',')}}`),
    ]);
  }
}

async function sent(url, mediaType, body) {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': mediaType }, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answers ${response.status} ${text.slice(0, 1_000)}`);
  return JSON.parse(text).data;
}

async function compareLists({ host, database, scenario: { name, query, criteria, connections }, seconds, rounds }) {
  const measure = (type) => async () => {
    const before = host.cpuMs() + database.cpuMs();
    const url = `${host.address}/api/cms/items/${type}/list?${query}`;
    const result = await load(url, { seconds, connections, bodies: [JSON.stringify(criteria)] });
    if (result.wrong > 0) throw new Error(`${result.wrong} of ${result.requests} answers to ${url} are errors.`);
    return { perSecond: result.perSecond, cpuMs: (host.cpuMs() + database.cpuMs() - before) / result.requests };
  };
  // The first round warms up.
  const pairs = (await inTurn(rounds + 1, measure('mixed'), measure('texts'))).slice(1);
  const ofAll = (value) => median(pairs.map(value));
  return {
    name,
    'kinds a second': ofAll(([kinds]) => kinds.perSecond),
    'texts a second': ofAll(([, texts]) => texts.perSecond),
    'kinds cpu ms': ofAll(([kinds]) => kinds.cpuMs),
    'texts cpu ms': ofAll(([, texts]) => texts.cpuMs),
    'time ratio': ofAll(([kinds, texts]) => texts.perSecond / kinds.perSecond),
    'cpu ratio': ofAll(([kinds, texts]) => kinds.cpuMs / texts.cpuMs),
  };
}
