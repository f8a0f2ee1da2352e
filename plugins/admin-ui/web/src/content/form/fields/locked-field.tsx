import { Input } from '@mantine/core';
import type { FormField } from '@gantry/contracts';
import { useId } from 'react';
import { LockIcon } from '../../../ui/icons';
import { viewOfField } from '../../kinds/views';

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
      <div className="locked-label">
        <Input.Label component="span" id={id}>
          {field.displayName}
        </Input.Label>
        {reason}
      </div>
      <div className="locked-value">
        <div className="page-title">
          <Locked field={field} value={value} />
        </div>
        <LockIcon size={16} className="lock" />
      </div>
    </div>
  );
}
