import { MultiSelect } from '@mantine/core';
import { optionText } from '../choice-text';
import type { FilterProps } from '../kinds/field-view';
import { textsOf } from './criteria-text';
import { listText } from './listed-values';

/** Several options of a field, by what people read; one that is chosen again is taken away. */
export function OptionList({ field, label, value, onChange }: FilterProps) {
  return (
    <MultiSelect
      data-search-value
      className="search-value"
      aria-label={label}
      placeholder="Choose …"
      data={(field.options ?? []).map((option) => ({ value: option, label: optionText(field, option) }))}
      value={[...(textsOf(value) ?? [])]}
      onChange={(chosen) => onChange(listText(chosen))}
      searchable
      // Enter takes what was found by typing.
      selectFirstOptionOnChange
      openOnFocus={false}
      nothingFoundMessage="No such option"
      comboboxProps={{ withinPortal: false }}
    />
  );
}
