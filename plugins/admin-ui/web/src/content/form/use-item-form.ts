import { evaluateConditions, type FormField, type ItemMetadata, describeCondition } from '@gantry/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error';
import {
  createItem,
  createRequestKey,
  getItem,
  updateItem,
  type Item,
  type Reference,
  type FormValue,
} from '../../api/items';
import { toJson } from '../../api/json';
import { itemQuery } from '../../api/queries';
import { itemLabel } from '../../api/label';
import { noProblems, saveProblems, type SaveProblems } from './fields/field-errors';
import { changedFields, newValues, payloadOf, storedValues, type FormValues } from './fields/form-values';
import { differences, merge, type Difference } from './merge';

/** A save that waits for the reader to choose between two editors' values. */
export interface Conflict {
  readonly latest: Item;
  readonly found: readonly Difference[];
}

/** Result of a save. */
export interface Saved {
  readonly item: Item;
  /** Values that were typed while it was being saved. */
  readonly typed: FormValues | undefined;
}

/** The state of one form: what was loaded, what is typed, and what the last save said. */
export function useItemForm(metadata: ItemMetadata, stored: Item | undefined, initial: FormValues | undefined) {
  const client = useQueryClient();
  const fields = editableFields(metadata, stored);
  const [base, setBase] = useState<Item | undefined>(stored);
  const before = base === undefined ? newValues(fields) : storedValues(fields, base);
  const [values, setValues] = useState<FormValues>(() => ({ ...before, ...initial }));
  const latest = useRef(values);
  latest.current = values;
  const [problems, setProblems] = useState<SaveProblems>(noProblems);
  const [conflict, setConflict] = useState<Conflict>();
  const [saving, setSaving] = useState(false);
  const isBusy = useRef(false);
  const set = useCallback((name: string, value: FormValue) => setValues((known) => ({ ...known, [name]: value })), []);
  const changed = changedFields(fields, before, values);
  const conditions = useConditions(metadata, base, values);
  const write = useWriting(metadata, fields);
  const dirty = useRef(false);
  dirty.current = changed.length > 0 && !metadata.readOnly;

  // A newer version that came in by itself replaces a form in which nothing was typed.
  useEffect(() => {
    if (stored === undefined || stored === base || dirty.current) return;
    setBase(stored);
    setValues(storedValues(fields, stored));
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [stored]);

  /** Takes over what was saved, and keeps what was typed meanwhile: here, or with the item that was created. */
  const accept = (item: Item, wanted: FormValues, isNew: boolean): Saved => {
    client.setQueryData(itemQuery(metadata.code, item.id).queryKey, item);
    void client.invalidateQueries({ predicate: ({ queryKey }) => isAboutItems(queryKey) });
    const changedSince = changedFields(fields, wanted, latest.current);
    const typed = Object.fromEntries(changedSince.map(({ name }) => [name, latest.current[name] ?? '']));
    const stays = changedSince.length > 0 && !isNew;
    setBase(item);
    setValues({ ...storedValues(fields, item), ...(stays ? typed : {}) });
    setProblems(noProblems);
    dirty.current = stays;
    return { item, typed: changedSince.length > 0 ? typed : undefined };
  };

  /** Resolves with the saved item, or with undefined when there is something to look at first. */
  const save = async (target: Item | undefined, wanted: FormValues): Promise<Saved | undefined> => {
    // Two clicks may come before the button is drawn again.
    if (isBusy.current) return undefined;
    isBusy.current = true;
    setSaving(true);
    try {
      return accept(await write(target, wanted), wanted, target === undefined);
    } catch (error) {
      if (target !== undefined && error instanceof ApiError && error.status === 412) {
        await openConflict(target, wanted).catch((failure: unknown) =>
          setProblems({ ...noProblems, general: failure }),
        );
      } else {
        setProblems(saveProblems(fields, error, (field, text) => rewordRequired(field, metadata.fields, text)));
      }
      return undefined;
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  };

  const openConflict = async (target: Item, wanted: FormValues): Promise<void> => {
    const theirs = await getItem(metadata.code, target.id);
    setConflict({
      latest: theirs,
      found: differences(fields, storedValues(fields, target), wanted, storedValues(fields, theirs)),
    });
  };

  return {
    fields,
    values,
    problems,
    conditions,
    conflict,
    saving,
    changed,
    dirty,
    base,
    save: () => save(base, values),
    /** Saves the stored and typed values as a new item, after somebody has deleted the opened one. */
    createAgain: () =>
      save(undefined, { ...(base === undefined ? {} : storedValues(metadata.fields, base)), ...values }),
    set,
    /** An item that was created or changed from a field: the field refers to it, under the name that it has now. */
    referTo: (name: string, item: Item) => {
      const field = fields.find((candidate) => candidate.name === name);
      const reference = { id: item.id, label: itemLabel(item) };
      if (field !== undefined) {
        setValues((known) => ({ ...known, [name]: withReference(field, known[name], reference) }));
      }
      if (base !== undefined) void client.invalidateQueries(itemQuery(metadata.code, base.id));
    },
    reset: () => {
      setValues(before);
      setProblems(noProblems);
    },
    /** Goes on with the values that were chosen, on top of the latest version. */
    resolve: (keepMine: ReadonlySet<string>) => {
      if (conflict === undefined) return Promise.resolve(undefined);
      const merged = merge(values, conflict.found, keepMine);
      setConflict(undefined);
      setBase(conflict.latest);
      setValues(merged);
      return save(conflict.latest, merged);
    },
    cancelConflict: () => setConflict(undefined),
  };
}

/** The fields that a form has controls for, and those that are fixed once the item is stored. */
export function shownFields(
  { fields, base }: Pick<ReturnType<typeof useItemForm>, 'fields' | 'base'>,
  metadata: ItemMetadata,
): readonly FormField[] {
  return base === undefined ? fields : metadata.fields;
}

/** Results of the conditions of the fields; fields that are not in the form have their stored values or defaults. */
function useConditions({ fields }: ItemMetadata, base: Item | undefined, values: FormValues) {
  const kept = useMemo(() => (base === undefined ? newValues(fields) : storedValues(fields, base)), [fields, base]);
  return evaluateConditions(fields, (name) => values[name] ?? kept[name]);
}

/** Sends the values that were changed, or all of a new item. */
function useWriting(metadata: ItemMetadata, fields: readonly FormField[]) {
  const keyFor = useRequestKey();
  return async (target: Item | undefined, wanted: FormValues): Promise<Item> => {
    if (target === undefined) {
      const payload = payloadOf(editableFields(metadata, undefined), wanted);
      return createItem(metadata.code, payload, keyFor(payload));
    }
    const sent = changedFields(fields, storedValues(fields, target), wanted);
    return sent.length === 0 ? target : updateItem(metadata.code, target, payloadOf(sent, wanted));
  };
}

/** The key of a create: the same for the same values, so that a second attempt gets the item of the first. */
function useRequestKey(): (payload: unknown) => string {
  const last = useRef<{ readonly text: string; readonly key: string }>(undefined);
  return useCallback((payload) => {
    const text = toJson(payload);
    if (last.current?.text !== text) last.current = { text, key: createRequestKey() };
    return last.current.key;
  }, []);
}

/** Lists, searches and counts, also of other types, which may show the item by its name; but no single item. */
function isAboutItems(queryKey: readonly unknown[]): boolean {
  return queryKey[0] === 'items' && queryKey[2] !== 'one';
}

function withReference(field: FormField, value: FormValue | undefined, reference: Reference): FormValue {
  const chosen: readonly Reference[] = Array.isArray(value) ? (value as readonly Reference[]) : [];
  if (field.referenceCardinality !== 'MULTIPLE') return [reference];
  return chosen.some(({ id }) => id === reference.id)
    ? chosen.map((known) => (known.id === reference.id ? reference : known))
    : [...chosen, reference];
}

/** On update, fields that are set on creation only are no part of the form (specification, section 4.5). */
function editableFields(metadata: ItemMetadata, stored: Item | undefined): readonly FormField[] {
  if (stored !== undefined) return metadata.fields.filter(({ editableOnUpdate }) => editableOnUpdate);
  const fields = metadata.fields.filter(({ editableOnCreate }) => editableOnCreate !== false);
  return fields.map((field) => (field.derivedFrom === undefined ? field : derivedField(field, metadata)));
}

/** A new item needs no value of a field that gets one by itself. */
function derivedField(field: FormField, { fields }: ItemMetadata): FormField {
  const names = fields.filter(({ name }) => field.derivedFrom?.includes(name)).map(({ displayName }) => displayName);
  const placeholder = field.placeholder === '' ? `Made from ${names.join(', ')}` : field.placeholder;
  return { ...field, required: false, placeholder };
}

/** `url is required if kind is LINK`, with the names that the form shows; other messages as they are. */
function rewordRequired({ name, requiredIf }: FormField, fields: readonly FormField[], message: string): string {
  if (requiredIf === undefined || !message.startsWith(`${name} is required if `)) return message;
  const find = (wanted: string): FormField | undefined => fields.find((field) => field.name === wanted);
  const reason = describeCondition(requiredIf, {
    field: (wanted) => find(wanted)?.displayName ?? wanted,
    value: (wanted, value) => find(wanted)?.optionLabels?.[String(value)] ?? String(value),
  });
  return `${name} is required if ${reason}`;
}
