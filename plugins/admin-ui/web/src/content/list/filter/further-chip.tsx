import { CloseButton, Group, Text } from '@mantine/core';
import type { Criterion, SearchField } from '@gantry/contracts';
import { Fragment } from 'react';
import type { CriterionEntry } from '../../../api/items';
import { isCriterion } from './criteria-text';
import { CriterionChip, CriterionText } from './criterion-chip';
import { useFilterField } from './use-filter-field';

export interface FurtherChipProps {
  readonly inputs: readonly SearchField[];
  readonly entry: CriterionEntry;
  /** Of a group of which one criterion must hold, among those of the list. */
  readonly number: number;
  /** Replacement; empty once it is removed. */
  onChange(changed: readonly CriterionEntry[]): void;
}

/** A criterion on a field of a referenced item, or a group. */
export function FurtherChip({ inputs, entry, number, onChange }: FurtherChipProps) {
  if (isCriterion(entry)) return <FieldChip inputs={inputs} criterion={entry} onRemove={() => onChange([])} />;
  if ('all' in entry) return <WholeGroup inputs={inputs} entry={entry} onRemove={() => onChange([])} />;
  const members = entry.any;
  return (
    <Group gap="icon" className="filter-group" role="group" aria-label={`Group ${number}, any of`}>
      <Text size="sm" c="dimmed">
        Group {number}, any of
      </Text>
      {members.map((member, index) => {
        const remove = (): void => onChange(members.length === 1 ? [] : [{ any: members.toSpliced(index, 1) }]);
        return (
          <Fragment key={`${index} ${JSON.stringify(member)}`}>
            {index === 0 ? null : (
              <Text size="sm" c="dimmed">
                or
              </Text>
            )}
            {isCriterion(member) ? (
              <FieldChip inputs={inputs} criterion={member} onRemove={remove} />
            ) : (
              <WholeGroup inputs={inputs} entry={member} onRemove={remove} />
            )}
          </Fragment>
        );
      })}
    </Group>
  );
}

interface FieldChipProps {
  readonly inputs: readonly SearchField[];
  readonly criterion: Criterion;
  onRemove(): void;
}

function FieldChip({ inputs, criterion, onRemove }: FieldChipProps) {
  return <CriterionChip {...useFilterField(inputs, criterion.field)} criterion={criterion} onRemove={onRemove} />;
}

/** A group that is shown, and removed as a whole. */
function WholeGroup({ inputs, entry, onRemove }: Pick<FurtherChipProps, 'inputs' | 'entry'> & { onRemove(): void }) {
  return (
    <Group gap="xxs" className="filter-group" role="group" aria-label="Group of filters">
      <Text size="sm" component="span" className="long-text">
        <EntryText inputs={inputs} entry={entry} />
      </Text>
      <CloseButton size="sm" aria-label="Remove the group of filters" onClick={onRemove} />
    </Group>
  );
}

function EntryText({ inputs, entry }: Pick<FurtherChipProps, 'inputs' | 'entry'>) {
  if (isCriterion(entry)) return <FieldText inputs={inputs} criterion={entry} />;
  const [members, joint] = 'any' in entry ? [entry.any, ' or '] : [entry.all, ' and '];
  return (
    <>
      (
      {members.map((member, index) => (
        <Fragment key={`${index} ${JSON.stringify(member)}`}>
          {index === 0 ? '' : joint}
          <EntryText inputs={inputs} entry={member} />
        </Fragment>
      ))}
      )
    </>
  );
}

function FieldText({ inputs, criterion }: Omit<FieldChipProps, 'onRemove'>) {
  return <CriterionText {...useFilterField(inputs, criterion.field)} criterion={criterion} />;
}
