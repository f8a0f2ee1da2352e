import { strict as assert } from 'node:assert';
import type { FormField } from '@gantry/contracts';
import type { Testbed } from '../bench';
import { targetType } from './item-maker';
import type { ItemTypeCheck } from './item-type-check';

/** Types, metadata and search metadata (specification, section 2). */
export function metadataChecks(type: string): readonly ItemTypeCheck[] {
  return [
    { name: 'is in the list of types with a display name', run: (testbed) => isListed(type, testbed) },
    { name: 'describes its form fields', run: (testbed) => describesFields(type, testbed) },
    { name: 'describes its table columns in ascending order', run: (testbed) => describesColumns(type, testbed) },
    {
      name: 'describes its search inputs alike in metadata and search metadata',
      run: (testbed) => describesSearch(type, testbed),
    },
    { name: 'refers only to types that exist', run: (testbed) => refersToTypes(type, testbed) },
  ];
}

async function isListed(type: string, { client }: Testbed): Promise<void> {
  const listed = (await client.types()).find((entry) => entry.type === type);
  assert.match(listed?.displayName ?? '', /\S/, `The list of types has no ${type} with a displayName`);
}

async function describesFields(type: string, { client }: Testbed): Promise<void> {
  const { code, fields } = await client.metadata(type);
  assert.equal(code, type);
  assert.ok(fields.length > 0, 'The type has no field');
  assert.equal(new Set(fields.map(({ name }) => name)).size, fields.length, 'Two fields have the same name');
  for (const field of fields) assertFormField(field);
}

function assertFormField(field: FormField): void {
  const shown = JSON.stringify(field);
  assert.match(field.name, /\S/, `A field has no name: ${shown}`);
  assert.match(field.displayName, /\S/, `A field has no displayName: ${shown}`);
  assert.equal(typeof field.type, 'string', `A field has no type: ${shown}`);
  assert.equal(typeof field.required, 'boolean', `required is not a boolean: ${shown}`);
  assert.equal(typeof field.editableOnUpdate, 'boolean', `editableOnUpdate is not a boolean: ${shown}`);
  assert.equal(field.type === 'REFERENCE', field.reference !== undefined, `Only a REFERENCE has a reference: ${shown}`);
  assert.equal(
    field.type === 'REFERENCE',
    field.referenceCardinality !== undefined,
    `Only a REFERENCE has a cardinality: ${shown}`,
  );
}

async function describesColumns(type: string, { client }: Testbed): Promise<void> {
  const { columnShown, fields } = await client.metadata(type);
  const known = new Set(fields.map(({ name }) => name));
  assert.ok(columnShown.length > 0, 'The type shows no column');
  assert.deepEqual(
    columnShown.map(({ name }) => name).filter((name) => !known.has(name)),
    [],
    'A column is not a field',
  );
  const orders = columnShown.map(({ order }) => order);
  assert.deepEqual(
    orders,
    [...new Set(orders)].toSorted((left, right) => left - right),
    'The order of the columns is not ascending',
  );
}

async function describesSearch(type: string, { client }: Testbed): Promise<void> {
  const [{ searchable, fields }, searchFields] = await Promise.all([client.metadata(type), client.searchFields(type)]);
  assert.deepEqual(searchFields, searchable, 'metadata.searchable and search-metadata.fields differ');
  for (const { name, type: inputType } of searchFields) {
    const field = fields.find((candidate) => candidate.name === name);
    assert.equal(
      inputType,
      field?.type.toLowerCase(),
      `The search input ${name} does not have the type of its field in lower case`,
    );
  }
}

async function refersToTypes(type: string, { client }: Testbed): Promise<void> {
  const [{ fields }, types] = await Promise.all([client.metadata(type), client.types()]);
  const known = new Set(types.map((entry) => entry.type));
  const lost = fields.filter((field) => Boolean(field.reference) && !known.has(targetType(field)));
  assert.deepEqual(
    lost.map(({ name, reference }) => `${name} → ${reference}`),
    [],
    'A reference names a type that does not exist',
  );
}
