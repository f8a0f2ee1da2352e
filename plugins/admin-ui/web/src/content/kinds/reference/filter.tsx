import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reference } from '../../../api/items';
import { itemQuery } from '../../../api/queries';
import { itemLabel } from '../../../api/label';
import { ReferenceSelect } from '../../reference/reference-select';
import { targetType } from '../../target-type';
import type { FilterProps, FilterTextProps } from '../field-view';
import { PlainFilter, PlainFilterText } from '../plain-views';

export function ReferenceFilter(props: FilterProps) {
  const target = targetType(props.field.reference);
  return target === undefined ? <PlainFilter {...props} /> : <TargetFilter {...props} target={target} />;
}

/** The value is an id; what one sees is what was chosen. */
function TargetFilter({ label, target, value, onChange }: FilterProps & { readonly target: string }) {
  const [chosen, setChosen] = useState<Reference>();
  return (
    <div className="search-value">
      <ReferenceSelect
        label={label}
        target={target}
        chosenText={value === '' || chosen === undefined ? undefined : chosen.label.slice(0, 200)}
        onChoose={(reference) => {
          setChosen(reference);
          onChange(reference.id);
        }}
        onClear={() => onChange('')}
      />
    </div>
  );
}

/** A reference reads as its label. */
export function ReferenceFilterText({ field, value }: FilterTextProps) {
  const target = targetType(field?.reference);
  const item = useQuery({ ...itemQuery(target ?? '', value), enabled: target !== undefined });
  return item.data === undefined ? <PlainFilterText value={value} /> : itemLabel(item.data);
}
