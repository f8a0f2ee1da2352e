import { Group, Input, Text } from '@mantine/core';
import type { FormField } from '@gantry/contracts';
import { useId } from 'react';
import { LockIcon } from '../../ui/icons';
import { viewOfField } from '../kinds/views';

/** A value that can be read but not changed here. */
export function LockedField({
  field,
  value,
  reason,
}: {
  readonly field: FormField;
  readonly value: unknown;
  /** Absent where it is said for several fields together. */
  readonly reason?: string;
}) {
  const id = useId();
  const { Locked } = viewOfField(field);
  return (
    <div role="group" aria-labelledby={id}>
      <Input.Label component="span" id={id}>
        {field.displayName}
      </Input.Label>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <LockIcon size={16} className="lock" />
        <div className="page-title">
          <Locked field={field} value={value} />
          {reason === undefined ? null : (
            <Text size="xs" c="dimmed">
              {reason}
            </Text>
          )}
        </div>
      </Group>
    </div>
  );
}
