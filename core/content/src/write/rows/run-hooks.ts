import type { ErrorDetail } from '@gantry/contracts';
import type { HookValues, WriteDecision } from '@gantry/plugin-api';
import { parseWrittenJson, type JsonObject } from '@gantry/core-common';
import { afterCommit, beginNow, transactionStatements } from '@gantry/core-database';
import { type FieldDescriptor, type ItemTypeDescriptor, isMadeByFunction } from '../../compile/descriptor';
import type { StoredValue, StoredValues } from '../../kinds/field-kind';
import { changedValues, lockedFields } from '../values/item-changes';
import { parsePayload } from '../values/payload';
import { missingReferences, selfReferences } from '../reference-check';
import { fieldsToCheck, missingAfterChange } from '../values/required-fields';
import { validationFailed } from '../write-problems';
import { currentValues, shownValues } from './load-row';
import type { TypeHooks } from './write-hooks';
import type { WriteSession } from '../write-transaction';

/** A row that is written. */
interface HookedRow {
  /** Undefined for a new item that gets the next one. */
  readonly id?: string | undefined;
  readonly values: StoredValues;
}

type Action = 'create' | 'update';

/**
 * Lets the hooks of plugins decide on rows before they are written.
 * @param type as the scope sees it: hooks see and set no more
 * @returns the rows, with the values that hooks have set
 * @throws GantryError VALIDATION_FAILED, and what a hook throws
 */
export async function beforeWrite<R extends HookedRow>(
  session: WriteSession,
  type: ItemTypeDescriptor,
  action: Action,
  rows: readonly R[],
  { before: hooks }: TypeHooks,
): Promise<readonly R[]> {
  if (hooks.length === 0) return rows;
  await beginNow(session.transaction);
  const decided: R[] = [];
  for (const row of rows) {
    const current = action === 'create' ? undefined : plainValues(type, await shownValues(session, type, row.id ?? ''));
    let { values } = row;
    for (const hook of hooks) {
      const id = action === 'create' ? undefined : row.id;
      const seen = { type: type.code, action, id, values: plainValues(type, values), current };
      values = await decidedValues(session, type, action, { ...row, values }, await hook(seen));
    }
    decided.push({ ...row, values });
  }
  return decided;
}

/** Notifies the hooks of plugins of rows that are written, once the transaction is committed. */
export function afterWrite(
  { transaction }: WriteSession,
  type: ItemTypeDescriptor,
  action: Action,
  rows: readonly (HookedRow & { readonly id: string })[],
  { after }: TypeHooks,
): void {
  if (after.length === 0) return;
  const writes = rows.map(({ id, values }) => ({ type: type.code, action, id, values: plainValues(type, values) }));
  afterCommit(transaction, () => {
    for (const write of writes) for (const hook of after) hook(write);
  });
}

/** The values of a row after a hook, of which those that it has set are checked like those of a request. */
async function decidedValues(
  session: WriteSession,
  type: ItemTypeDescriptor,
  action: Action,
  { id = '', values }: HookedRow,
  { values: set = {}, problems: refused = [] }: WriteDecision,
): Promise<StoredValues> {
  const payload = payloadOf(type, set);
  const { values: sent, problems: wrong } = parsePayload(type, payload, 'update');
  const names = [...sent.keys(), ...fieldsToCheck(type, undefined, sent)];
  const stored = action === 'create' ? [] : await currentValues(session, type, id, new Set(names));
  const current = new Map([...stored, ...values]);
  const changed = changedValues(type, sent, current);
  const { query } = transactionStatements(session.transaction);
  const found = [
    ...refused.map(({ field, message }) => refusal(type, field, message)),
    ...wrong,
    ...(action === 'create' ? notCreatable(type, changed) : lockedFields(type, changed)),
    ...missingAfterChange(type, undefined, { current, values: changed, problems: wrong, payload }),
    ...(id === '' ? [] : selfReferences(type, id, changed)),
    ...(await missingReferences(type, changed, { types: session.scope.policy.types, query })),
  ];
  if (found.length > 0) throw validationFailed(type, action, found);
  return new Map([...values, ...changed]);
}

/** A field that the writer does not see is as good as none. */
function refusal({ fields }: ItemTypeDescriptor, field: string, message: string): ErrorDetail {
  const isShown = fields.some(({ name }) => name === field);
  return { path: isShown ? field : '', code: 'MODEL_VALIDATION', message: String(message) };
}

function notCreatable({ fields }: ItemTypeDescriptor, changed: StoredValues): readonly ErrorDetail[] {
  return fields
    .filter(({ name, editableOnCreate }) => editableOnCreate === false && changed.has(name))
    .map(({ name }) => ({ path: name, code: 'NOT_EDITABLE', message: `${name} cannot be set by you` }));
}

/** As code of plugins gets values: of a reference the id, of several the ids. */
function plainValues({ fields }: ItemTypeDescriptor, values: StoredValues): HookValues {
  const shown = fields.filter((field) => values.has(field.name) && !isMadeByFunction(field));
  return Object.freeze(
    Object.fromEntries(shown.map((field) => [field.name, plainValue(field, values.get(field.name))])),
  );
}

function plainValue(field: FieldDescriptor, value: StoredValue | undefined): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return Object.freeze((value as readonly string[]).slice());
  if (field.reference !== undefined) return String(value);
  return field.kind.toModel(parseWrittenJson(field.kind.toFileJson(String(value))));
}

function payloadOf(type: ItemTypeDescriptor, set: HookValues): JsonObject {
  const fields = new Map(type.fields.map((field) => [field.name, field]));
  const entries = Object.entries(set).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const kind = fields.get(name)?.kind;
      return [name, value === null || kind === undefined ? value : kind.fromModel(value)];
    }),
  );
}
