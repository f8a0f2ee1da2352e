import { Group, MultiSelect } from '@mantine/core';
import { findFilter } from '../../../plugin-ui/claims';
import { SlotBoundary } from '../../../plugin-ui/slot-boundary';
import { useUiPart, useUis } from '../../../plugin-ui/ui-context';
import type { FilterProps } from '../../kinds/field-view';
import { ChoiceFilter } from '../../kinds/plain-views';
import { viewOfField } from '../../kinds/views';
import { textsOf } from './criteria-text';
import { rangeText, listText } from '../rows/listed-values';
import { useEntered } from './use-entered';
import { ValueList } from './value-list';
import { useState } from 'react';
import { optionText } from '../../choice-text';

export interface OperatorValueProps extends FilterProps {
  readonly operator: string;
}

const yesAndNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** The value of a criterion whose operator takes another value than one of the field, or whose field is of a kind of a plugin. */
export function OperatorValue({ operator, ...props }: OperatorValueProps) {
  switch (operator) {
    case 'EMPTY':
      return <ChoiceFilter {...props} choices={yesAndNo} />;
    case 'IN':
      return props.field.options === undefined ? (
        <ValueList {...props} Filter={EqualValue} />
      ) : (
        <OptionList {...props} />
      );
    case 'BETWEEN':
      return <RangeValue {...props} />;
    default:
      return <SingleValue {...props} operator={operator} />;
  }
}

/** The range counts once both of its ends are there. */
function RangeValue({ label, value, onChange, field }: FilterProps) {
  const [[from = '', to = ''], enter] = useEntered(value, (text) => textsOf(text) ?? [], onChange);
  const change = (first: string, last: string): void => enter([first, last], rangeText(first, last));
  return (
    <Group gap="xxs">
      <EqualValue field={field} label={`${label}, from`} value={from} onChange={(next) => change(next, to)} />
      <EqualValue field={field} label={`${label}, to`} value={to} onChange={(next) => change(from, next)} />
    </Group>
  );
}

function EqualValue(props: FilterProps) {
  return <SingleValue {...props} operator="EQUALS" />;
}

/** By the control of the kind: that of a plugin if one brings it. */
function SingleValue(props: OperatorValueProps) {
  const claim = findFilter(useUis(), props.field);
  return claim === undefined ? <BuiltInFilter {...props} /> : <ClaimedFilter {...props} claim={claim} />;
}

function BuiltInFilter({ operator: _operator, ...props }: OperatorValueProps) {
  const { Filter } = viewOfField(props.field);
  return <Filter {...props} />;
}

function ClaimedFilter({
  claim,
  ...props
}: OperatorValueProps & { readonly claim: NonNullable<ReturnType<typeof findFilter>> }) {
  const { part: Filter } = useUiPart(claim.plugin, (ui) => ui.filters?.[claim.key]);
  const plain = <BuiltInFilter {...props} />;
  if (Filter === undefined) return plain;
  const { field, label, operator, value, onChange } = props;
  return (
    <SlotBoundary renderFailure={() => plain}>
      <Filter
        field={{ name: field.name, displayName: field.displayName }}
        label={label}
        operator={operator}
        value={value}
        onChange={onChange}
      />
    </SlotBoundary>
  );
}

/** Several options of a field, by what people read; one that is chosen again is taken away. */
function OptionList({ field, label, value, onChange }: FilterProps) {
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
