import type { FormField } from '@gantry/contracts';
import type { FormValue } from '../../api/items';
import { isSameValue, type FormValues } from './fields/form-values';

/** A field in which two editors disagree, or that the other one changed alone. */
export interface Difference {
  readonly field: FormField;
  readonly before: FormValue;
  readonly mine: FormValue;
  readonly theirs: FormValue;
  /** Both changed it, and not to the same value. */
  readonly contested: boolean;
}

/** Changes that another person made since the page was loaded, beside the changes here. */
export function differences(
  fields: readonly FormField[],
  before: FormValues,
  mine: FormValues,
  theirs: FormValues,
): readonly Difference[] {
  return fields.flatMap((field) => {
    const [old, own, other] = [before[field.name] ?? '', mine[field.name] ?? '', theirs[field.name] ?? ''];
    if (isSameValue(old, other) || isSameValue(own, other)) return [];
    return [{ field, before: old, mine: own, theirs: other, contested: !isSameValue(old, own) }];
  });
}

/** The values with, for every difference, the side that was chosen; what only the other editor changed is taken over. */
export function merge(mine: FormValues, found: readonly Difference[], keepMine: ReadonlySet<string>): FormValues {
  const taken = found.filter(({ field, contested }) => !contested || !keepMine.has(field.name));
  return { ...mine, ...Object.fromEntries(taken.map(({ field, theirs }) => [field.name, theirs])) };
}
