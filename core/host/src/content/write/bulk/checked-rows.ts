import type { ItemTypeDescriptor } from '../../compile/descriptor';
import type { StoredValues } from '../../kinds/field-kind';
import { assertRowShown, assertRowWritable, assertRowWritten, rowRightsOf } from '../row-rights';
import type { BulkChange, BulkOutcome, BulkTransaction } from './bulk-write';

type Query = BulkTransaction['query'];
type Outcomes = Promise<readonly BulkOutcome[]>;

/** Creates one item where a policy has conditions. @throws GantryError FORBIDDEN: then it is to be undone */
export async function createChecked(
  type: ItemTypeDescriptor,
  values: StoredValues,
  query: Query,
  create: () => Outcomes,
): Outcomes {
  const outcomes = await create();
  const [outcome] = outcomes;
  if (outcome?.status !== 'written') return outcomes;
  // Those that cannot be set by the user have the values that they have by default.
  const set = type.fields.filter(({ name, editableOnCreate }) => values.has(name) && editableOnCreate !== false);
  assertRowWritten(
    type,
    await rowRightsOf(type, outcome.id, query),
    'create',
    set.map(({ name }) => name),
  );
  return outcomes;
}

/** Changes or completes one item where a policy has conditions. @throws GantryError ITEM_NOT_FOUND, FORBIDDEN: then it is to be undone */
export async function updateChecked(
  type: ItemTypeDescriptor,
  { id, values, isNew }: BulkChange,
  query: Query,
  update: () => Outcomes,
): Outcomes {
  const fields = type.fields.flatMap(({ name }) => (values.has(name) ? [name] : []));
  const before = await rowRightsOf(type, id, query);
  assertRowShown(type, before, id);
  if (isNew !== true) assertRowWritable(type, before, fields);
  const outcomes = await update();
  assertRowWritten(type, await rowRightsOf(type, id, query), isNew === true ? 'create' : 'update', fields);
  return outcomes;
}
