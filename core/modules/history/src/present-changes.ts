import type { ChangeAction } from '@gantry/contracts';
import { exactJson, isJsonObject, numberText, parseWrittenJson, type JsonObject, onceFor } from '@gantry/core-common';
import { formatPosition, quoteIdentifier, type RunQuery } from '@gantry/core-database';
import {
  shownAuthorFields,
  isLinked,
  type CompiledItemType,
  type FieldDescriptor,
  type ItemTypeDescriptor,
  type ItemTypes,
  type Scope,
  labelText,
  rowsOf,
} from '@gantry/core-content';
import { notedTargets, type StoredChange } from './change-statements';
import { rightsOnStates, type ItemState, type StateRights } from './item-states';

/** A change as the scope may see it. */
export interface VisibleChange {
  readonly type: CompiledItemType;
  readonly change: StoredChange;
  readonly action: ChangeAction;
  /** Parsed values after the change (of a deletion: before it) of the fields that are shown; empty for `left`. */
  readonly values: ReadonlyMap<string, unknown>;
  /** The same before it, of the fields that changed. */
  readonly previous: ReadonlyMap<string, unknown>;
  readonly labels: JsonObject;
}

/** Those of the changes that the scope may see, as it may see them. Changes of types that it does not see are left out. */
export async function visibleChanges(
  { policy }: Scope,
  changes: readonly StoredChange[],
  query: RunQuery,
): Promise<readonly VisibleChange[]> {
  const types = new Map(policy.types.served().map((type) => [type.descriptor.table, type]));
  const byTable = new Map<string, ChangeStates[]>();
  for (const state of statesOf(changes.filter(({ table }) => types.has(table)))) {
    const { table } = state.change;
    const group = byTable.get(table);
    if (group === undefined) byTable.set(table, [state]);
    else group.push(state);
  }
  const seen = new Map<StoredChange, VisibleChange>();
  for (const [table, group] of byTable) {
    const type = types.get(table);
    if (type === undefined) continue;
    const given = group.flatMap(({ before, after }) => [...before, ...after]);
    const rights = (await rightsOnStates(type, given, query))[Symbol.iterator]();
    for (const states of group) {
      const [onBefore] = states.before.map(() => rights.next().value);
      const [onAfter] = states.after.map(() => rights.next().value);
      const visible = seenChange(type, states, { onBefore, onAfter });
      if (visible !== undefined) seen.set(states.change, visible);
    }
  }
  return changes.flatMap((change) => seen.get(change) ?? []);
}

/** The same of one item: an id without changes runs the same statements as one whose changes are hidden, so that time shows no difference. */
export async function visibleOfItem(
  scope: Scope,
  type: CompiledItemType,
  changes: readonly StoredChange[],
  query: RunQuery,
): Promise<readonly VisibleChange[]> {
  if (changes.length === 0) await rightsOnStates(type, [], query);
  return visibleChanges(scope, changes, query);
}

interface ChangeStates {
  readonly change: StoredChange;
  /** One state, or none where the item did not exist. */
  readonly before: readonly ItemState[];
  readonly after: readonly ItemState[];
  readonly values: JsonObject;
  readonly previous: JsonObject;
  readonly labels: JsonObject;
}

/** The texts are parsed together: a call takes more time than the short text of one change. */
function statesOf(changes: readonly StoredChange[]): readonly ChangeStates[] {
  const texts = changes.map(({ values, previous = '{}', labels = '{}' }) => `[${values},${previous},${labels}]`);
  const parsed = parseWrittenJson(`[${texts.join(',')}]`) as readonly (readonly unknown[])[];
  return changes.map((change, index) => {
    const [values, previous, labels] = (parsed[index] ?? []).map(objectOf);
    return { change, ...sidesOf(change), values: values ?? {}, previous: previous ?? {}, labels: labels ?? {} };
  });
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function sidesOf({ id, action, values, previous }: StoredChange): Pick<ChangeStates, 'before' | 'after'> {
  const now = [{ id, values }];
  if (action === 'deleted') return { before: now, after: [] };
  if (action !== 'updated') return { before: [], after: now };
  return { before: [{ id, values: merged(values, previous) }], after: now };
}

/** The text of an object whose later members count, as jsonb has it. */
function merged(values: string, previous: string | undefined): string {
  if (previous === undefined || previous === '{}') return values;
  return values === '{}' ? previous : `${values.slice(0, -1)},${previous.slice(1)}`;
}

/** The rights on the item before and after the change; undefined where it did not exist. */
interface Rights {
  readonly onBefore: StateRights | undefined;
  readonly onAfter: StateRights | undefined;
}

function seenChange(
  type: CompiledItemType,
  { change, values, previous, labels }: ChangeStates,
  { onBefore, onAfter }: Rights,
): VisibleChange | undefined {
  const main = onAfter ?? onBefore;
  if (main?.isShown === true) {
    const names = shownNames(type.descriptor);
    return {
      ...{ type, change, labels, action: change.action as ChangeAction },
      values: pick(values, names, main),
      previous: onBefore?.isShown === true ? pick(previous, names, onBefore) : new Map(),
    };
  }
  if (onBefore?.isShown !== true) return undefined;
  return { type, change, labels, action: 'left', values: new Map(), previous: new Map() };
}

const shownNames = onceFor((type: ItemTypeDescriptor): readonly string[] =>
  [...type.fields, ...shownAuthorFields(type)].map(({ name }) => name),
);

function pick(values: JsonObject, names: readonly string[], rights: StateRights): ReadonlyMap<string, unknown> {
  const picked = new Map<string, unknown>();
  for (const name of names) if (Object.hasOwn(values, name) && rights.shows(name)) picked.set(name, values[name]);
  return picked;
}

/** Gives the labels of items that a change refers to, as the scope may see them. */
export type FindLabel = (change: VisibleChange, field: FieldDescriptor, id: string) => string | null;

/** Code of the type that a reference was to when a change was written; undefined where the scope does not see it, or there was none. */
type TargetOf = (change: VisibleChange, field: FieldDescriptor) => string | undefined;

/** The items that references of changes are to. */
export interface ReferredItems {
  readonly labelOf: FindLabel;
  readonly targetOf: TargetOf;
}

/**
 * Labels as the changes keep them where the scope sees all items of the type that is referred to; else, and where none is kept, those that
 * the items have now, of items that the scope sees.
 */
export async function referredItems(
  { policy: { types } }: Scope,
  changes: readonly VisibleChange[],
  query: RunQuery,
): Promise<ReferredItems> {
  const targetOf = await targetsOf(types, changes, query);
  const wanted = new Map<string, Set<string>>();
  for (const { target, id } of changes.flatMap((change) => unlabelled(types, change, targetOf))) {
    const ids = wanted.get(target) ?? new Set();
    wanted.set(target, ids.add(id));
  }
  const live = new Map(
    await Promise.all(
      [...wanted].map(async ([code, ids]) => [code, await liveLabels(types, code, ids, query)] as const),
    ),
  );
  return {
    targetOf,
    labelOf(change, field, id) {
      const target = targetOf(change, field);
      if (target === undefined) return null;
      const kept = isWhole(types, target) ? keptLabel(field, id, change.labels) : undefined;
      return kept ?? live.get(target)?.get(id) ?? null;
    },
  };
}

/** A later version of the plugin may let a field refer to another type: the ids of earlier changes are not of its items. */
export async function targetsOf(
  types: ItemTypes,
  changes: readonly VisibleChange[],
  query: RunQuery,
): Promise<TargetOf> {
  const referring = changes.filter(({ type }) => referenceFields(type.descriptor).length > 0);
  if (referring.length === 0) return () => undefined;
  const tables = [...new Set(referring.map(({ change }) => change.table))];
  const noted = new Map<string, { readonly since: bigint; readonly table: string }[]>();
  for (const [table, field, since, target] of await query(notedTargets(tables))) {
    const key = `${String(table)} ${String(field)}`;
    noted.set(key, [...(noted.get(key) ?? []), { since: BigInt(String(since)), table: String(target) }]);
  }
  const codes = new Map(types.served().map(({ descriptor }) => [descriptor.table, descriptor.code]));
  return ({ change }, { name, reference }) => {
    const known = noted.get(`${change.table} ${name}`);
    if (known === undefined) return reference?.target;
    const [, , sequence] = change.position;
    return codes.get(known.findLast(({ since }) => since < BigInt(sequence))?.table ?? '');
  };
}

/** The references of a change whose labels it does not keep, or the policy may hide. */
function unlabelled(
  types: ItemTypes,
  change: VisibleChange,
  targetOf: TargetOf,
): readonly { readonly target: string; readonly id: string }[] {
  const { type, values, previous, labels } = change;
  return referenceFields(type.descriptor).flatMap((field) => {
    const target = targetOf(change, field);
    if (target === undefined) return [];
    const ids = [...idsOf(values.get(field.name)), ...idsOf(previous.get(field.name))];
    const isKept = (id: string): boolean => isWhole(types, target) && keptLabel(field, id, labels) !== undefined;
    return ids.filter((id) => !isKept(id)).map((id) => ({ target, id }));
  });
}

const referenceFields = onceFor(({ fields }: ItemTypeDescriptor) =>
  fields.filter(({ reference }) => reference !== undefined),
);

/** Whether the policy shows all of the type. */
function isWhole(types: ItemTypes, code: string): boolean {
  const type = types.find(code);
  return type !== undefined && (type.stored === undefined || type.isWhole === true);
}

function keptLabel({ name }: FieldDescriptor, id: string, labels: JsonObject): string | undefined {
  const byId = Object.hasOwn(labels, name) ? labels[name] : undefined;
  const label = isJsonObject(byId) && Object.hasOwn(byId, id) ? byId[id] : undefined;
  return typeof label === 'string' ? label : undefined;
}

async function liveLabels(
  types: ItemTypes,
  code: string,
  ids: ReadonlySet<string>,
  query: RunQuery,
): Promise<ReadonlyMap<string, string>> {
  const target = types.find(code)?.descriptor;
  if (target === undefined) return new Map();
  const sql = `SELECT x.id::text, ${labelText(target, 'x')} FROM ${rowsOf(target)} x WHERE x.id = ANY ($1::bigint[])`;
  const rows = await query({ sql, values: [[...ids]] });
  return new Map(rows.map(([id, label]) => [String(id), String(label)]));
}

/** The ids that a reference has in a state. */
export function idsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((id) => numberText(id) ?? []);
}

/** Who wrote, where the policy shows that. */
export function actorMembers(
  { hidesAuthors }: ItemTypeDescriptor,
  { actor }: StoredChange,
  names: ReadonlyMap<string, string>,
): { readonly actor?: string; readonly actorName?: string } {
  if (hidesAuthors) return {};
  const actorName = names.get(actor);
  return actorName === undefined ? { actor } : { actor, actorName };
}

/** The JSON of an ItemChange of the contracts. */
export function changeJson(visible: VisibleChange, find: FindLabel, names: ReadonlyMap<string, string>): string {
  const { type, change, action, values, previous } = visible;
  const { descriptor } = type;
  const about = {
    position: formatPosition(change.position),
    at: change.at,
    type: descriptor.code,
  };
  if (action === 'left') return withId(about, change.id, { version: change.version, action, changed: [] });
  const shown = fieldsByName(descriptor);
  const changed = action === 'updated' ? [...previous.keys()].filter((name) => values.has(name)) : [...values.keys()];
  const rest = {
    version: change.version,
    action,
    ...actorMembers(descriptor, change, names),
    source: change.source,
    ...(change.requestId === undefined ? {} : { requestId: change.requestId }),
    ...(change.restoredVersion === undefined ? {} : { restoredVersion: change.restoredVersion }),
    changed: changed.filter((name) => shown.has(name)),
  };
  const text = withId(about, change.id, rest);
  const valuesText = `,"values":${valuesJson(visible, values, find)}`;
  const previousText = action === 'updated' ? `,"previous":${valuesJson(visible, previous, find, shown)}` : '';
  return `${text.slice(0, -1)}${valuesText}${previousText}}`;
}

/** Ids are numbers of 64 bits. */
function withId(before: object, id: string, after: object): string {
  return `${JSON.stringify(before).slice(0, -1)},"id":${id},${JSON.stringify(after).slice(1)}`;
}

const fieldsByName = onceFor(
  ({ fields }: ItemTypeDescriptor): ReadonlyMap<string, FieldDescriptor> =>
    new Map(fields.map((field) => [field.name, field])),
);

/** Values by field name, as rows have them. */
function valuesJson(
  change: VisibleChange,
  values: ReadonlyMap<string, unknown>,
  find: FindLabel,
  only?: ReadonlyMap<string, unknown>,
): string {
  const fields = fieldsByName(change.type.descriptor);
  let text = '';
  for (const [name, value] of values) {
    if (only?.has(name) === false) continue;
    const separator = text === '' ? '' : ',';
    text += `${separator}${JSON.stringify(name)}:${valueJson(fields.get(name), value, change, find)}`;
  }
  return `{${text}}`;
}

/** A value as rows have it; `field` is undefined for the users who wrote the item, whose ids are text. */
export function valueJson(
  field: FieldDescriptor | undefined,
  value: unknown,
  change: VisibleChange,
  find: FindLabel,
): string {
  if (field === undefined) return value === null ? 'null' : JSON.stringify(numberText(value) ?? value);
  if (field.reference === undefined) return exactJson(value === null ? null : field.kind.fromHistory(value));
  const references = idsOf(value).map((id) => `{"id":${id},"label":${JSON.stringify(find(change, field, id))}}`);
  return isLinked(field) ? `[${references.join(',')}]` : (references[0] ?? 'null');
}

/** The table of a type, for statements. */
export function tableOf({ table }: ItemTypeDescriptor): string {
  return quoteIdentifier(table);
}
