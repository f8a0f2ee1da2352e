import { Checkbox, Stack, Text } from '@mantine/core';
import type { GrantCondition, ItemCondition, ItemMetadata, ModelInfo, SearchField } from '@gantry/contracts';
import { useId } from 'react';
import { searchInputs } from '../../content/list/filter/criteria-text';
import { FilterChips } from '../../content/list/filter/filter-chips';
import { FilterForm } from '../../content/list/filter/filter-form';
import { targetType } from '../../content/target-type';
import { GrantDialog } from './grant-dialog';

interface GrantItemsDialogProps {
  readonly type: ModelInfo;
  readonly where: readonly GrantCondition[];
  onClose(): void;
  onChange(where: readonly GrantCondition[]): void;
}

/** Which items of a type the role is about: all, or those that meet conditions. */
export function GrantItemsDialog({ type, where, onClose, onChange }: GrantItemsDialogProps) {
  return (
    <GrantDialog type={type} part="Items" onClose={onClose}>
      {(metadata) => <Conditions metadata={metadata} where={where} onChange={onChange} />}
    </GrantDialog>
  );
}

interface ConditionsProps extends Pick<GrantItemsDialogProps, 'where' | 'onChange'> {
  readonly metadata: ItemMetadata;
}

function Conditions({ metadata, where, onChange }: ConditionsProps) {
  const formId = useId();
  const inputs = [...conditionInputs(metadata), ...authors];
  const isOwn = where.some(isOfUser);
  const others = where.filter((condition) => !isOfUser(condition));
  const change = (next: readonly GrantCondition[], own = isOwn): void =>
    onChange([...(own ? [ownItems] : []), ...next]);
  return (
    <Stack>
      <Text size="sm">
        {where.length === 0
          ? 'The role applies to all items. Add a condition to restrict it.'
          : 'The role applies to items that meet all of these conditions, before and after a change.'}
      </Text>
      <Checkbox
        label="Only items that the user has created"
        checked={isOwn}
        onChange={(event) => change(others, event.currentTarget.checked)}
      />
      <FilterForm id={formId} inputs={inputs} criteria={others} hasRelated={false} onChange={(next) => change(next)} />
      <Text size="sm" c="dimmed">
        In values, $user.id is the id of the user who makes the request, and $user.login the email address or name.
      </Text>
      <FilterChips inputs={inputs} criteria={others} onChange={(next) => change(next)} />
    </Stack>
  );
}

/** Every reference can be compared by the id of its item; fields of that item cannot. */
function conditionInputs(metadata: ItemMetadata): readonly SearchField[] {
  const inputs = searchInputs(metadata);
  const others = metadata.fields.filter(
    ({ name, reference }) => targetType(reference) !== undefined && !inputs.some((input) => input.name === name),
  );
  return [
    ...inputs,
    ...others.map(({ name, displayName, type, reference }) => ({
      ...{ name, displayName, type: type.toLowerCase() as SearchField['type'] },
      ...(reference === undefined ? {} : { reference }),
    })),
  ];
}

const authors: readonly SearchField[] = [
  { name: 'createdBy', displayName: 'Id of the user who created it', type: 'number' },
  { name: 'updatedBy', displayName: 'Id of the user who changed it last', type: 'number' },
];
const ownItems: ItemCondition = { field: 'createdBy', operator: 'EQUALS', value: '$user.id' };

function isOfUser(condition: GrantCondition): boolean {
  if (!('field' in condition)) return false;
  const { field, operator, value } = condition;
  return field === ownItems.field && operator === ownItems.operator && value === ownItems.value;
}
