import { strict as assert } from 'node:assert';
import type { Criterion, Row, SearchResult } from '@gantry/contracts';
import type { Testbed } from './bench';
import { assertRefused, assertStatus, comparable, writeCheck, type ItemTypeCheck } from './item-type-check';
import { itemsPath } from './platform-client';

/** List, search and get (specification, section 4; decisions, "Items"). */
export function readingChecks(type: string): readonly ItemTypeCheck[] {
  return [
    { name: 'can be listed and searched', run: (testbed) => canBeListed(type, testbed) },
    { name: 'answers 404 for an item that does not exist', run: (testbed) => hasNoSuchItem(type, testbed) },
    writeCheck(type, 'is found by its id in list and search', (testbed) => isFoundById(type, testbed)),
    writeCheck(type, 'is found by each of its search inputs', (testbed) => isFoundByFields(type, testbed)),
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
