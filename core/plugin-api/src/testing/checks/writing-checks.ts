import { strict as assert } from 'node:assert';
import type { FormField, ItemMetadata, Row } from '@gantry/contracts';
import type { Testbed } from '../bench';
import { targetType } from './item-maker';
import {
  assertRefused,
  assertStatus,
  comparable,
  createCheck,
  writeCheck,
  type ItemTypeCheck,
} from './item-type-check';
import { itemsPath } from '../platform-client';

/** Create, update and delete (specification, section 4). */
export function writingChecks(type: string): readonly ItemTypeCheck[] {
  return [
    createCheck(type, 'can be created with its required fields alone', createsMinimal),
    createCheck(type, 'returns every value that it was created with', keepsValues),
    writeCheck(type, 'changes only what an update sends', changesOneField),
    createCheck(type, 'refuses a change and a deletion that start from a stale version', refusesStale),
    writeCheck(type, 'refuses values of the fields that it computes', refusesComputed),
    createCheck(type, 'can be deleted, and then no longer exists', canBeDeleted),
    writeCheck(type, 'prevents the deletion of items that it refers to', keepsReferenced),
    writeCheck(type, 'has exactly one item if it is a singleton', hasOneItem),
    { name: 'refuses every change if it is read-only', run: (testbed) => refusesWhenReadOnly(type, testbed) },
  ];
}

async function createsMinimal({ items, client }: Testbed, { code, fields }: ItemMetadata): Promise<void> {
  const { id, values } = await items.create(code);
  const missing = [...fields.map(({ name }) => name), 'createdAt', 'updatedAt', 'version'].filter(
    (name) => !(name in values),
  );
  assert.deepEqual(missing, [], `The row lacks ${missing.join(', ')}`);
  for (const field of fields.filter(({ default: preset }) => preset !== undefined)) {
    const [value, preset] = [values[field.name], field.default].map((one) => String(comparable(field, one)));
    assert.equal(value, preset, `${field.name} does not have its default value`);
  }
  const read = await client.get(code, id);
  assertStatus(read, 200);
  assert.deepEqual(read.data, { id, values }, 'Create and get returned different rows');
  assert.equal(read.headers.get('etag'), `"${String(values['version'])}"`, 'ETag is not the version in quotes');
}

async function keepsValues({ items, client }: Testbed, { code, fields }: ItemMetadata): Promise<void> {
  const sent = await items.payload(code, 'all');
  const created = await client.create(code, sent);
  assertStatus(created, 201);
  const read = await client.get(code, created.data.id);
  assertStatus(read, 200);
  for (const field of fields.filter(({ name }) => name in sent)) {
    assert.deepEqual(
      comparable(field, read.data.values[field.name]),
      comparable(field, sent[field.name]),
      `${field.name} was returned with another value`,
    );
  }
}

async function changesOneField({ items, client }: Testbed, { code, fields }: ItemMetadata): Promise<void> {
  const before = await items.create(code, 'all');
  const change = await findChange(code, fields, before, items);
  if (change === undefined) return;
  const { field, value } = change;
  const answer = await client.update(code, before.id, { [field.name]: value });
  assertStatus(answer, 200);
  const computed = fields.filter(({ computed: isComputed }) => isComputed === true).map(({ name }) => name);
  const written = (values: Row['values']) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !computed.includes(name)));
  const { [field.name]: changed, version, updatedAt: _updatedAt, ...rest } = written(answer.data.values);
  const { [field.name]: _old, version: oldVersion, updatedAt: _oldUpdatedAt, ...oldRest } = written(before.values);
  assert.deepEqual(
    comparable(field, changed),
    comparable(field, value),
    `${field.name} does not have the value that was sent`,
  );
  assert.deepEqual(rest, oldRest, `More than ${field.name} changed`);
  assert.equal(version, Number(oldVersion) + 1, 'The version did not go up by one');
}

async function refusesStale({ items, client }: Testbed, { code, fields }: ItemMetadata): Promise<void> {
  const before = await items.create(code, 'all');
  const change = await findChange(code, fields, before, items);
  if (change === undefined) return;
  const payload = { [change.field.name]: change.value };
  const version = `"${String(before.values['version'])}"`;
  assertStatus(await client.update(code, before.id, payload, version), 200);
  assertRefused(await client.update(code, before.id, payload, version), 412, 'VERSION_MISMATCH');
  assertRefused(await client.remove(code, before.id, version), 412, 'VERSION_MISMATCH');
}

async function refusesComputed({ items, client }: Testbed, { code, fields }: ItemMetadata): Promise<void> {
  const { id } = await items.create(code);
  for (const { name } of fields.filter(({ computed }) => computed === true)) {
    assertRefused(await client.update(code, id, { [name]: null }), 400, 'VALIDATION_FAILED', [name]);
  }
}

async function canBeDeleted({ items, client }: Testbed, { code }: ItemMetadata): Promise<void> {
  const { id } = await items.create(code, 'all');
  assertStatus(await client.remove(code, id), 204);
  assertRefused(await client.get(code, id), 404, 'ITEM_NOT_FOUND');
  assertRefused(await client.remove(code, id), 404, 'ITEM_NOT_FOUND');
}

async function keepsReferenced({ items, client }: Testbed, { code, fields }: ItemMetadata): Promise<void> {
  const { id, values } = await items.create(code, 'all');
  for (const field of fields.filter(({ type }) => type === 'REFERENCE' || type === 'LINK')) {
    const [first] = [comparable(field, values[field.name])].flat();
    const [, target = targetType(field), targetId] = /^(?:(\w+)\/)?(\d+)$/.exec(String(first)) ?? [];
    if (targetId === undefined || !(await mayBeDeleted(items, target))) continue;
    const answer = await client.remove(target, Number(targetId));
    if (field.onDelete === undefined) assertRefused(answer, 409, 'ITEM_REFERENCED', [`${code}.${field.name}`]);
    // Another field may keep it.
    else if (answer.error?.code !== 'ITEM_REFERENCED') assertRefused(answer, 409, 'CONFIRMATION_REQUIRED', [code]);
  }
  assertStatus(await client.get(code, id), 200);
}

async function mayBeDeleted(items: Testbed['items'], type: string): Promise<boolean> {
  const { readOnly, singleton } = await items.metadata(type);
  return !readOnly && singleton !== true;
}

async function hasOneItem({ items, client }: Testbed, { code, singleton }: ItemMetadata): Promise<void> {
  if (singleton !== true) return;
  const { id } = await items.create(code, 'all');
  const { data } = await client.request<readonly Row[]>('POST', `${itemsPath}/${code}/list`, { body: [] });
  assert.deepEqual(
    data.map((row) => row.id),
    [id],
    'There is not exactly one item',
  );
  assertRefused(await client.create(code, {}), 409, 'CONFLICT');
  assertRefused(await client.remove(code, id), 409, 'CONFLICT');
}

async function refusesWhenReadOnly(type: string, { items, client }: Testbed): Promise<void> {
  if (!(await items.metadata(type)).readOnly) return;
  const answers = await Promise.all([
    client.create(type, {}),
    client.update(type, 1, {}),
    client.request('PUT', `${itemsPath}/${type}/1`, { body: {} }),
    client.remove(type, 1),
  ]);
  for (const answer of answers) assertRefused(answer, 405, 'METHOD_NOT_ALLOWED');
}

interface Change {
  readonly field: FormField;
  readonly value: unknown;
}

/** A field that may be changed, with a value that it does not have yet; undefined for a type that leaves no choice. */
async function findChange(
  type: string,
  fields: readonly FormField[],
  row: Row,
  items: Testbed['items'],
): Promise<Change | undefined> {
  for (const field of fields.filter(({ editableOnUpdate }) => editableOnUpdate)) {
    const current = JSON.stringify(comparable(field, row.values[field.name]));
    const value = await otherValue(field, current, () => proposal(type, field, row, items));
    if (value !== undefined) return { field, value };
  }
  return undefined;
}

async function proposal(type: string, field: FormField, row: Row, items: Testbed['items']): Promise<unknown> {
  return field.type === 'BOOLEAN' ? row.values[field.name] !== true : items.value(type, field);
}

/** Options and narrow ranges leave few values: one that differs may take more than one try. */
async function otherValue(
  field: FormField,
  current: string | undefined,
  propose: () => Promise<unknown>,
): Promise<unknown> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const value = await propose();
    if (JSON.stringify(comparable(field, value)) !== current) return value;
  }
  return undefined;
}
