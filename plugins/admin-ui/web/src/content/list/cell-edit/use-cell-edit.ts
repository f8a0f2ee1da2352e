import type { FormField, ItemMetadata } from '@gantry/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../api/api-error';
import { getItem, updateItem, type FormValue, type Item } from '../../../api/items';
import { itemQuery } from '../../../api/queries';
import { saveProblems } from '../../form/fields/field-errors';
import { isSameValue, payloadOf, storedValues } from '../../form/fields/form-values';

export interface CellEdit {
  readonly value: FormValue;
  readonly isChanged: boolean;
  readonly saving: boolean;
  /** Problem of the value. */
  readonly problem: string | undefined;
  /** Why it was not saved, where that is no problem of the value. */
  readonly failure: unknown;
  /** The value that somebody else has stored since the list was read. */
  readonly theirs: FormValue | undefined;
  setValue(value: FormValue): void;
  /** Resolves with the saved item, or with undefined when there is something to look at first. */
  save(): Promise<Item | undefined>;
}

/** Changes one field of an item, only if the item still is as the reader has seen it. */
export function useCellEdit(metadata: ItemMetadata, field: FormField, item: Item): CellEdit {
  const client = useQueryClient();
  const [base, setBase] = useState(item);
  const [value, setValue] = useState(() => valueIn(item, field));
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const [theirs, setTheirs] = useState<FormValue>();

  const accept = (saved: Item): void => {
    client.setQueryData(itemQuery(metadata.code, saved.id).queryKey, saved);
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'items' && queryKey[2] !== 'one' });
  };

  /** Another field may have been changed, which takes nothing from this change; the same one is shown first. */
  const saveOnLatest = async (): Promise<Item | undefined> => {
    const latest = await getItem(metadata.code, base.id);
    setBase(latest);
    const stored = valueIn(latest, field);
    if (isSameValue(stored, valueIn(base, field))) return write(latest);
    setTheirs(stored);
    return undefined;
  };

  const write = (target: Item): Promise<Item> =>
    updateItem(metadata.code, target, payloadOf([field], { [field.name]: value }));

  const save = async (): Promise<Item | undefined> => {
    if (saving) return undefined;
    setSaving(true);
    setProblem(undefined);
    setFailure(undefined);
    try {
      const saved = await write(base).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 412) return saveOnLatest();
        throw error;
      });
      if (saved !== undefined) accept(saved);
      return saved;
    } catch (error) {
      const found = saveProblems([field], error);
      setProblem(found.fields[field.name]);
      setFailure(found.general);
      return undefined;
    } finally {
      setSaving(false);
    }
  };

  const isChanged = !isSameValue(value, valueIn(base, field));
  return { value, isChanged, saving, problem, failure, theirs, setValue, save };
}

function valueIn(item: Item, field: FormField): FormValue {
  return storedValues([field], item)[field.name] ?? '';
}
