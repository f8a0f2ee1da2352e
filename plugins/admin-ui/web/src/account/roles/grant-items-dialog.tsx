import { Checkbox, Stack, Text } from '@mantine/core';
import type { GrantCondition, ItemCondition, ItemMetadata, ModelInfo, SearchField } from '@gantry/contracts';
import { useId } from 'react';
import { FilterChips } from '../../content/list/filter-chips';
import { searchInputs } from '../../content/list/criteria-text';
import { FilterForm } from '../../content/list/filter-form';
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
  const inputs = [...searchInputs(metadata), createdBy];
  const single = where.filter(isSingle);
  // Groups are written over REST and by the command line; they stay as they are.
  const groups = where.filter((condition) => !isSingle(condition));
  const isOwn = single.some(isOfUser);
  const others = single.filter((condition) => !isOfUser(condition));
  const change = (next: readonly ItemCondition[], own = isOwn): void =>
    onChange([...(own ? [ownItems] : []), ...next, ...groups]);
  return (
    <Stack>
      <Text size="sm">
        {where.length === 0
          ? 'The role is about all items. Add a condition to restrict it.'
          : 'The role is about the items that meet all of these conditions, before and after a change.'}
      </Text>
      <Checkbox
        label="Only items that the user has created"
        checked={isOwn}
        onChange={(event) => change(others, event.currentTarget.checked)}
      />
      {groups.length === 0 ? null : (
        <Text size="sm">Groups of conditions, which can be changed over REST only: {JSON.stringify(groups)}</Text>
      )}
      <FilterForm id={formId} inputs={inputs} criteria={others} onChange={(next) => change(next)} />
      <FilterChips inputs={inputs} criteria={others} onChange={(next) => change(next)} />
    </Stack>
  );
}

const createdBy: SearchField = { name: 'createdBy', displayName: 'Id of the user who created it', type: 'number' };
const ownItems: ItemCondition = { field: 'createdBy', operator: 'EQUALS', value: '$user.id' };

function isSingle(condition: GrantCondition): condition is ItemCondition {
  return 'field' in condition;
}

function isOfUser({ field, operator, value }: ItemCondition): boolean {
  return field === ownItems.field && operator === ownItems.operator && value === ownItems.value;
}
