import { MultiSelect } from '@mantine/core';
import { useState } from 'react';
import { optionText } from '../../choice-text';
import type { FilterProps } from '../../kinds/field-view';
import { textsOf } from './criteria-text';
import { listText } from '../rows/listed-values';

/** Several options of a field, by what people read; one that is chosen again is taken away. */
export function OptionList({ field, label, value, onChange }: FilterProps) {
  const [search, setSearch] = useState('');
  const [isOpen, setIsOpen] = useState(false);
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
      searchValue={search}
      onSearchChange={setSearch}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      // Enter takes what was found by typing; the next Enter is for the form.
      selectFirstOptionOnChange={search !== ''}
      onOptionSubmit={() => {
        if (search !== '') setIsOpen(false);
      }}
      openOnFocus={false}
      nothingFoundMessage="No such option"
      comboboxProps={{ withinPortal: false }}
    />
  );
}
