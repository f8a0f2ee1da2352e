import { strict as assert } from 'node:assert';
import type { ItemMetadata, Row } from '@gantry/contracts';
import type { Testbed } from '../bench';
import {
  assertRefused,
  assertStatus,
  comparable,
  createCheck,
  isWithin,
  writeCheck,
  type ItemTypeCheck,
} from './item-type-check';
import { itemsPath, type Payload } from '../platform-client';

/** Bad input: refused as a whole, with every problem named, and without a trace in the table. */
export function inputChecks(type: string): readonly ItemTypeCheck[] {
  return [
    createCheck(type, 'names every required field that a create lacks', namesMissing),
    createCheck(type, 'refuses values of a wrong type and reports all of them', refusesWrongTypes),
    createCheck(type, 'refuses keys that are not fields', refusesUnknownKeys),
    createCheck(type, 'refuses references to items that do not exist', refusesLostReferences),
    writeCheck(type, 'keeps create-only fields as they are', keepsCreateOnly),
    { name: 'refuses criteria that are not an array', run: (testbed) => refusesCriteria(type, testbed) },
  ];
}

async function namesMissing({ client }: Testbed, { code, fields }: ItemMetadata): Promise<void> {
  const required = fields
    .filter((field) => field.required && field.default === undefined && field.derivedFrom === undefined)
    .map(({ name }) => name);
  if (required.length === 0) return;
  assertRefused(await client.create(code, {}), 400, 'VALIDATION_FAILED', required);
}

async function refusesWrongTypes(testbed: Testbed, { code, fields }: ItemMetadata): Promise<void> {
  const before = await count(code, testbed);
  // A kind of a plugin may take it.
  const refused = fields.filter(({ type }) => !type.includes('.')).map(({ name }) => name);
  if (refused.length === 0) return;
  const wrong = Object.fromEntries(fields.map(({ name }) => [name, { wrong: 'type' }]));
  const answer = await testbed.client.create(code, wrong);
  assertRefused(answer, 400, 'VALIDATION_FAILED', refused);
  for (const { path } of answer.error?.details ?? []) {
    const isNamed = Object.keys(wrong).some((name) => isWithin(path, name));
    assert.ok(isNamed, `The details name ${path}, which is no field: ${answer.summary}`);
  }
  assert.equal(await count(code, testbed), before, 'A refused create changed the stored items');
}

async function refusesUnknownKeys({ items, client }: Testbed, { code }: ItemMetadata): Promise<void> {
  const payload = await items.payload(code, 'required');
  assertRefused(await client.create(code, { ...payload, noSuchField: 1 }), 400, 'VALIDATION_FAILED', ['noSuchField']);
}

async function refusesLostReferences({ items, client }: Testbed, { code, fields }: ItemMetadata): Promise<void> {
  const references = fields.filter(({ type }) => type === 'REFERENCE');
  if (references.length === 0) return;
  const nowhere = Number.MAX_SAFE_INTEGER;
  const lost: Payload = Object.fromEntries(
    references.map((field) => [field.name, field.referenceCardinality === 'MULTIPLE' ? [nowhere] : nowhere]),
  );
  const payload = { ...(await items.payload(code, 'required')), ...lost };
  assertRefused(
    await client.create(code, payload),
    400,
    'VALIDATION_FAILED',
    references.map(({ name }) => name),
  );
}

async function keepsCreateOnly({ items, client }: Testbed, { code, fields }: ItemMetadata): Promise<void> {
  const fixed = fields.filter(({ editableOnUpdate, computed }) => !editableOnUpdate && computed !== true);
  if (fixed.length === 0) return;
  const { id, values } = await items.create(code, 'all');
  for (const field of fixed) {
    const current = comparable(field, values[field.name]);
    assertStatus(await client.update(code, id, { [field.name]: current }), 200);
    const other = field.type === 'BOOLEAN' ? current !== true : await items.value(code, field);
    if (other === undefined || JSON.stringify(comparable(field, other)) === JSON.stringify(current)) continue;
    assertRefused(await client.update(code, id, { [field.name]: other }), 400, 'VALIDATION_FAILED', [field.name]);
  }
}

async function refusesCriteria(type: string, { client }: Testbed): Promise<void> {
  for (const endpoint of ['list', 'search']) {
    assertRefused(
      await client.request('POST', `${itemsPath}/${type}/${endpoint}`, { body: { field: 'id' } }),
      400,
      'BAD_REQUEST',
    );
  }
}

async function count(type: string, { client }: Testbed): Promise<unknown> {
  const answer = await client.request<readonly Row[]>('POST', `${itemsPath}/${type}/list?limit=1&total=true`, {
    body: [],
  });
  assertStatus(answer, 200);
  return answer.meta?.['total'];
}
