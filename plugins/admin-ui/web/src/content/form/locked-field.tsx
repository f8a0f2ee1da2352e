import { Group, Input, Text } from '@mantine/core';
import type { FormField } from '@gantry/contracts';
import { useId } from 'react';
import { referencesIn } from '../../api/items';
import { LockIcon } from '../../ui/icons';
import { shortText } from '../label';
import { plainNumber } from '../list/number-digits';
import { ReferenceLink } from '../reference/reference-link';
import { targetType } from '../target-type';
import { Thumbnail } from '../thumbnail';

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
  return (
    <div role="group" aria-labelledby={id}>
      <Input.Label component="span" id={id}>
        {field.displayName}
      </Input.Label>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <LockIcon size={16} className="lock" />
        <div className="page-title">
          <LockedValue field={field} value={value} />
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

function LockedValue({ field, value }: { readonly field: FormField; readonly value: unknown }) {
  const references = referencesIn(value);
  const target = targetType(field.reference);
  if (target !== undefined && references.length > 0) {
    return references.map(({ id, label }, index) => (
      <span key={id}>
        {index === 0 ? '' : ', '}
        <ReferenceLink target={target} id={id} label={label} field={field.name} />
      </span>
    ));
  }
  if (field.type === 'IMAGE' && typeof value === 'string') {
    return <Thumbnail value={value} label={field.displayName} size={96} />;
  }
  const text = field.type === 'NUMBER' ? plainNumber(shortText(value)) : shortText(value);
  return (
    <Text className="long-text" dir="auto">
      {text === '' ? '—' : text}
    </Text>
  );
}
