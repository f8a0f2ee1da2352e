import { Group, TextInput } from '@mantine/core';
import { findFilter } from '../../plugin-ui/claims';
import { SlotBoundary } from '../../plugin-ui/slot-boundary';
import { useUiPart, useUis } from '../../plugin-ui/ui-context';
import type { FilterProps } from '../kinds/field-view';
import { ChoiceFilter, PlainFilter } from '../kinds/plain-views';
import { viewOfField } from '../kinds/views';

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
      return <ListValue {...props} />;
    case 'BETWEEN':
      return <RangeValue {...props} />;
    default:
      return <PluginFilter {...props} operator={operator} />;
  }
}

/** Values with a comma between them, which the criterion has as a JSON array. */
function ListValue({ label, value, onChange }: FilterProps) {
  return (
    <TextInput
      data-search-value
      className="search-value"
      aria-label={`${label}, several with commas between them`}
      placeholder="A, B, C"
      defaultValue={listOf(value).join(', ')}
      onChange={(event) => {
        const values = event.currentTarget.value.split(',').flatMap((one) => one.trim() || []);
        onChange(values.length === 0 ? '' : JSON.stringify(values));
      }}
    />
  );
}

function RangeValue({ label, value, onChange, field }: FilterProps) {
  const [from = '', to = ''] = listOf(value);
  const { Filter } = viewOfField(field);
  const change = (first: string, last: string): void => {
    onChange(first === '' && last === '' ? '' : JSON.stringify([first, last]));
  };
  return (
    <Group gap={4} wrap="nowrap">
      <Filter field={field} label={`${label}, from`} value={from} onChange={(next) => change(next, to)} />
      <Filter field={field} label={`${label}, to`} value={to} onChange={(next) => change(from, next)} />
    </Group>
  );
}

function listOf(value: string): readonly string[] {
  return value.startsWith('[') ? (JSON.parse(value) as readonly string[]) : [];
}

function PluginFilter(props: OperatorValueProps) {
  const claim = findFilter(useUis(), props.field);
  return claim === undefined ? <PlainFilter {...props} /> : <ClaimedFilter {...props} claim={claim} />;
}

function ClaimedFilter({
  claim,
  ...props
}: OperatorValueProps & { readonly claim: NonNullable<ReturnType<typeof findFilter>> }) {
  const { part: Filter } = useUiPart(claim.plugin, (ui) => ui.filters?.[claim.key]);
  const plain = <PlainFilter {...props} />;
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
