import { strict as assert } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import type { Criterion, Row, SearchResult } from '@gantry/contracts';
import type { Testbed } from '../bench';
import { assertRefused, assertStatus, comparable, writeCheck, type ItemTypeCheck } from './item-type-check';
import { itemsPath } from '../platform-client';

/** List, search and get (specification, section 4). */
export function readingChecks(type: string): readonly ItemTypeCheck[] {
  return [
    { name: 'can be listed and searched', run: (testbed) => canBeListed(type, testbed) },
    { name: 'answers 404 for an item that does not exist', run: (testbed) => hasNoSuchItem(type, testbed) },
    writeCheck(type, 'is found by its id in list and search', (testbed) => isFoundById(type, testbed)),
    writeCheck(type, 'is found by each of its search inputs', (testbed) => isFoundByFields(type, testbed)),
    {
      name: 'makes its search results and computed values without failing',
      run: (testbed) => functionsWork(type, testbed),
    },
  ];
}

async function canBeListed(type: string, { client }: Testbed): Promise<void> {
  for (const endpoint of ['list?limit=5&total=true', 'search?limit=5']) {
    const answer = await client.request<readonly unknown[]>('POST', `${itemsPath}/${type}/${endpoint}`, { body: [] });
    assertStatus(answer, 200);
    assert.ok(Array.isArray(answer.data), `Expected an array: ${answer.summary}`);
  }
}

async function hasNoSuchItem(type: string, { client }: Testbed): Promise<void> {
  assertRefused(await client.get(type, Number.MAX_SAFE_INTEGER), 404, 'ITEM_NOT_FOUND');
}

async function isFoundById(type: string, testbed: Testbed): Promise<void> {
  const { id } = await testbed.items.create(type);
  await assertFound(type, id, [{ field: 'id', operator: 'EQUALS', value: String(id) }], testbed);
}

async function isFoundByFields(type: string, testbed: Testbed): Promise<void> {
  const { id, values } = await testbed.items.create(type, 'all');
  const { fields, searchable } = await testbed.items.metadata(type);
  const byId: Criterion = { field: 'id', operator: 'EQUALS', value: String(id) };
  for (const { name } of searchable) {
    const field = fields.find((candidate) => candidate.name === name);
    const value = field === undefined ? '' : criterionValue(comparable(field, values[name]));
    if (value.trim() === '') continue;
    await assertFound(type, id, [byId, { field: name, operator: 'EQUALS', value }], testbed);
  }
}

/**
 * The platform answers without what a function of the type fails to make, and counts the rows. The reason is in its log.
 */
async function functionsWork(type: string, { client, items, log }: Testbed): Promise<void> {
  if (!(await items.metadata(type)).readOnly) {
    await items.create(type);
    await items.create(type, 'all');
  }
  for (const endpoint of ['list?limit=100', 'search?limit=100']) {
    assertStatus(await client.request('POST', `${itemsPath}/${type}/${endpoint}`, { body: [] }), 200);
  }
  const metrics = await client.request('GET', '/metrics');
  assertStatus(metrics, 200);
  const failed = [...metrics.body.matchAll(/^gantry_function_failures_total\{(.*)\} \d+$/gm)].flatMap(
    ([, labels = '']) => (labelOf(labels, 'type') === type ? labelOf(labels, 'function') : []),
  );
  const reasons = await Promise.all(failed.map(async (name) => `${name} failed: ${await reasonIn(log, type, name)}`));
  assert.deepEqual(reasons, [], reasons.join('; '));
}

/** The value of a label of a metric. */
function labelOf(labels: string, name: string): string {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
}

/** The line of the log may come after the answer that it is about. */
async function reasonIn(log: () => string, type: string, name: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const line = log()
      .split('\n')
      .find((one) => ['reason', type, name].every((word) => one.includes(word)));
    if (line !== undefined) return line.trim();
    await delay(50);
  }
  return 'see the log of the platform';
}

/** The text of a value; of several, the first. A blank one would be skipped by the platform. */
function criterionValue(value: unknown): string {
  if (Array.isArray(value)) return criterionValue(value[0]);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

async function assertFound(
  type: string,
  id: number,
  criteria: readonly Criterion[],
  { client }: Testbed,
): Promise<void> {
  const [rows, results] = await Promise.all([
    client.request<readonly Row[]>('POST', `${itemsPath}/${type}/list`, { body: criteria }),
    client.request<readonly SearchResult[]>('POST', `${itemsPath}/${type}/search`, { body: criteria }),
  ]);
  const sought = JSON.stringify(criteria);
  for (const answer of [rows, results]) {
    assertStatus(answer, 200);
    assert.deepEqual(
      answer.data.map((entry) => entry.id),
      [id],
      `Sought ${sought}: ${answer.summary}`,
    );
    assert.equal(answer.meta?.['skipped'], undefined, `A criterion was skipped: ${sought}: ${answer.summary}`);
  }
  const [result] = results.data;
  assert.equal(typeof result?.label, 'string', `The search result has no label: ${results.summary}`);
  assert.equal(typeof result?.subLabel, 'string', `The search result has no subLabel: ${results.summary}`);
}
