import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { request, startPlatform } from '../../scripts/lib/gantry.mjs';
import { createRandom } from './support/random.mjs';
import { confirmationOf, createReferenceModel, referencesOf, targetsOf, typeOf } from './support/reference-model.mjs';
import { references, writeReferencePlugin } from './support/reference-plugin.mjs';

/**
 * Claim: creates, changes and deletions of items that refer to each other and to themselves, by every rule of deletion, answer and leave what a
 * model says: values, their order, versions, and what is to be confirmed. With many clients at once, nothing refers to what is gone, and the last row of the feed of each item equals the item.
 */
export const sizes = {
  ci: { steps: 400, clients: 8, writes: 400 },
  full: { steps: 10_000, clients: 24, writes: 20_000 },
};

export default async function prove({ seed, size, log }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-references-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const plugins = join(folder, 'plugins');
  mkdirSync(plugins);
  writeReferencePlugin(plugins);
  const platform = await startPlatform(join(folder, 'home'), { GANTRY_PLUGIN_PATH: plugins });
  try {
    const random = createRandom(seed);
    const counts = await followModel(platform, random, size.steps);
    log(
      Object.entries(counts)
        .map(([answer, count]) => `${count} × ${answer}`)
        .join(', '),
    );
    const statuses = await writeAtOnce(platform, random, size);
    log(
      `at once: ${Object.entries(statuses)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', ')}`,
    );
    const { rows, items } = await checkFeed(platform);
    return `${size.steps} steps as the model says, ${size.writes} writes of ${size.clients} clients at once: ${items} items equal the last of their ${rows} changes`;
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** One request after the other, each with the answer of the model. @returns how often each answer came */
async function followModel(platform, random, steps) {
  const model = createReferenceModel();
  const counts = {};
  for (let step = 0; step < steps; step += 1) {
    const kind = weighted(random, { create: 4, update: 4, remove: model.items.size > 30 ? 4 : 2 });
    const answer = await { create, update, remove }[kind]({ platform, random, model, step });
    counts[answer] = (counts[answer] ?? 0) + 1;
    if (step % 100 === 99 || step === steps - 1) await compareAll(platform, model);
  }
  return counts;
}

async function create({ platform, random, model, step }) {
  const type = pick(random, Object.keys(references));
  const { values, isRight } = randomValues(random, type, model.items, 'create');
  const answer = await ask(platform, 'POST', `/${type}`, { code: `${type}-${step}`, ...values });
  if (!isRight) return expected(answer, 400, 'VALIDATION_FAILED', values);
  expected(answer, 201, undefined, values);
  model.create(`${type}/${answer.data.id}`, values);
  return 'created';
}

async function update({ platform, random, model }) {
  const item = pick(random, [...model.items.keys()]);
  if (item === undefined) return 'nothing to change';
  const { values, isRight } = randomValues(random, typeOf(item), model.items, 'update');
  const isOfItself = referencesOf(item).some(([name]) => targetsOf(item, { values }, name).includes(item));
  const answer = await ask(platform, 'PATCH', `/${item}`, values);
  if (!isRight || isOfItself) return expected(answer, 400, 'VALIDATION_FAILED', values);
  expected(answer, 200, undefined, values);
  model.update(item, values);
  assert.equal(answer.data.values.version, model.items.get(item).version, `the version of ${item}`);
  return 'updated';
}

async function remove({ platform, random, model }) {
  const item = pick(random, [...model.items.keys()]);
  if (item === undefined) return 'nothing to delete';
  const plan = model.planOf(item);
  const wanted = confirmationOf(item, plan);
  const how = wanted.length === 0 ? 'plain' : pick(random, ['plain', 'all', 'counted', 'too little']);
  const text = { plain: undefined, all: 'all', counted: wanted.join(','), 'too little': wanted.slice(1).join(',') }[
    how
  ];
  const answer = await ask(platform, 'DELETE', `/${item}${text ? `?confirm=${text}` : ''}`);
  if (plan.isBlocked) return expected(answer, 409, 'ITEM_REFERENCED', item);
  if (wanted.length > 0 && (how === 'plain' || how === 'too little')) {
    expected(answer, 409, 'CONFIRMATION_REQUIRED', item);
    assert.deepEqual(
      answer.error.deletion.confirm.split(',').toSorted(),
      wanted,
      `what a deletion of ${item} concerns`,
    );
    return 'to be confirmed';
  }
  expected(answer, 204, undefined, item);
  model.remove(plan);
  return 'deleted';
}

/** Some references of a type, a few of them to nothing. */
function randomValues(random, type, items, action) {
  const values = {};
  let isRight = true;
  const targetOf = (target) => {
    if (random() < 0.01) {
      isRight = false;
      return 999_999_999;
    }
    const id = pick(
      random,
      [...items.keys()].filter((item) => typeOf(item) === target),
    )?.split('/')[1];
    return id === undefined ? undefined : Number(id);
  };
  for (const [name, { target, rule, isList, isRequired }] of Object.entries(references[type])) {
    // References that keep others from being deleted are rare, or no item ever is.
    if (!(isRequired && action === 'create') && random() > (rule === 'restrict' ? 0.08 : 0.4)) {
      if (action === 'create') values[name] = isList ? [] : null;
      continue;
    }
    if (isList) {
      const ids = Array.from({ length: Math.floor(random() * 4) }, () => targetOf(target));
      values[name] = [...new Set(ids.filter((id) => id !== undefined))];
    } else values[name] = !isRequired && random() < 0.2 ? null : (targetOf(target) ?? null);
    if (isRequired && values[name] === null) isRight = false;
  }
  return { values, isRight };
}

async function compareAll(platform, { items }) {
  const shown = await readAll(platform);
  assert.deepEqual(new Set(shown.keys()), new Set(items.keys()), 'the items that exist');
  for (const [item, { version, values }] of items) assert.deepEqual(shown.get(item), { version, values }, item);
}

/** All items with the ids that their references have. */
async function readAll(platform) {
  const found = new Map();
  for (const type of Object.keys(references)) {
    let cursor = '';
    do {
      const page = await ask(platform, 'POST', `/${type}/list?limit=200${cursor}`, []);
      for (const { id, values } of page.data) {
        const ids = referencesOf(`${type}/`).map(([name]) => [name, idsOf(values[name])]);
        found.set(`${type}/${id}`, { version: values.version, values: Object.fromEntries(ids) });
      }
      cursor = page.meta?.nextCursor === undefined ? undefined : `&after=${encodeURIComponent(page.meta.nextCursor)}`;
    } while (cursor !== undefined);
  }
  return found;
}

const idsOf = (value) => (Array.isArray(value) ? value.map(({ id }) => id) : (value?.id ?? null));

/** Clients that know of the items what was true at some time. @returns how often each status came */
async function writeAtOnce(platform, random, { clients, writes }) {
  const known = await readAll(platform);
  const statuses = {};
  let left = writes;
  const client = async (number) => {
    while (left > 0) {
      left -= 1;
      const { method, path, body } = randomRequest(random, known, `${number}-${left}`);
      const answer = await ask(platform, method, path, body);
      // A machine that does other work, too, may be too slow for an answer in time.
      const isRight = answer.status < 500 || answer.error?.code === 'UNAVAILABLE';
      assert.ok(isRight, `${method} ${path} answers ${JSON.stringify(answer)} to ${JSON.stringify(body)}`);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status === 201) known.set(`${path.slice(1)}/${answer.data.id}`, {});
      if (answer.status === 204 || answer.status === 404) known.delete(path.slice(1).split('?')[0]);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_none, number) => client(number)));
  assert.ok((statuses[503] ?? 0) < writes / 100, `too many answers are 503: ${JSON.stringify(statuses)}`);
  assert.deepEqual(await danglingReferences(platform), [], 'references to items that do not exist');
  return statuses;
}

function randomRequest(random, known, code) {
  const kind = weighted(random, { create: 4, update: 4, remove: known.size > 60 ? 6 : 1 });
  const type = pick(random, Object.keys(references));
  if (kind === 'create' || known.size === 0) {
    return { method: 'POST', path: `/${type}`, body: { code, ...randomValues(random, type, known, 'create').values } };
  }
  const item = pick(random, [...known.keys()]);
  if (kind === 'remove') return { method: 'DELETE', path: `/${item}?confirm=all` };
  return { method: 'PATCH', path: `/${item}`, body: randomValues(random, typeOf(item), known, 'update').values };
}

async function danglingReferences(platform) {
  const all = await readAll(platform);
  return [...all].flatMap(([item, stored]) =>
    referencesOf(item).flatMap(([name]) => targetsOf(item, stored, name).filter((target) => !all.has(target))),
  );
}

/** Versions of each item follow each other, and the last one has the values of the item. */
async function checkFeed(platform) {
  const shown = await readAll(platform);
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT item_table, item_id::int AS id, version, action, values FROM gantry_change WHERE item_table LIKE 'graph\\_%'
       ORDER BY epoch, transaction_id, sequence`,
    );
    const last = new Map();
    for (const { item_table: table, id, version, action, values } of rows) {
      const item = `${table.replace('graph_', '')}/${id}`;
      const before = last.get(item);
      const follows = action === 'created' ? before === undefined : before?.action !== 'deleted';
      assert.ok(follows, `${item}: ${action} follows ${before?.action}`);
      if (action === 'updated') assert.equal(version, before.version + 1, `${item}: the version of a change`);
      last.set(item, { version, action, values });
    }
    for (const [item, { action, version, values }] of last) {
      const stored = shown.get(item);
      assert.equal(stored === undefined, action === 'deleted', `${item} exists, or was deleted last`);
      if (stored === undefined) continue;
      const told = Object.fromEntries(referencesOf(item).map(([name]) => [name, values[name]]));
      assert.deepEqual({ version, values: told }, stored, `the last change of ${item}`);
    }
    return { rows: rows.length, items: shown.size };
  } finally {
    await client.end();
  }
}

/** @returns the answer, with its status */
async function ask(platform, method, path, body) {
  const { status, text } = await request(platform, method, `/api/cms/items${path}`, body);
  return { status, ...(text === '' ? {} : JSON.parse(text)) };
}

function expected(answer, status, code, about) {
  const found = { status: answer.status, code: answer.error?.code };
  assert.deepEqual(found, { status, code }, `${JSON.stringify(answer)} to ${JSON.stringify(about)}`);
  return code;
}

function pick(random, list) {
  return list[Math.floor(random() * list.length)];
}

function weighted(random, weights) {
  let left = random() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  return Object.entries(weights).find(([, weight]) => (left -= weight) < 0)[0];
}
