import { Pill } from '@mantine/core';
import type { Criterion, SearchField } from '@gantry/contracts';
import type { FilterTextProps } from '../../kinds/field-view';
import { viewOf, viewOfField } from '../../kinds/views';
import { operatorLabel, textsOf } from './criteria-text';

interface CriterionTextProps {
  readonly criterion: Criterion;
  /** Undefined for one that is not known. */
  readonly field: SearchField | undefined;
  /** Name for people. */
  readonly name: string;
}

/** A criterion that applies, with a button that removes it. */
export function CriterionChip({ onRemove, ...props }: CriterionTextProps & { onRemove(): void }) {
  return (
    <Pill
      size="lg"
      className="filter-chip"
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{ 'aria-label': `Remove filter ${props.name}`, 'aria-hidden': false, tabIndex: 0 }}
    >
      <CriterionText {...props} />
    </Pill>
  );
}

export function CriterionText({ criterion, field, name }: CriterionTextProps) {
  const { operator, value } = criterion;
  return (
    <>
      {name} {operatorLabel(operator)} “
      <bdi>
        <ValueText field={field} value={value} operator={operator} />
      </bdi>
      ”
    </>
  );
}

function ValueText({ operator, ...props }: FilterTextProps & { readonly operator: string }) {
  const { field, value } = props;
  if (operator === 'EMPTY') return value === 'true' ? 'yes' : 'no';
  const { FilterText } = field === undefined ? viewOf('') : viewOfField(field);
  const values = operator === 'IN' || operator === 'BETWEEN' ? textsOf(value) : undefined;
  if (values === undefined) return <FilterText {...props} />;
  return values.map((one, index) => (
    <span key={`${index} ${one}`}>
      {index === 0 ? '' : ', '}
      <FilterText {...props} value={one} />
    </span>
  ));
}
