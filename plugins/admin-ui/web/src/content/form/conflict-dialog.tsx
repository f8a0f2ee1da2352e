import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { FormValue } from '../../api/items';
import type { Difference } from './merge';
import { Dialog } from '../../ui/dialog';
import { ValueText } from './fields/value-text';

export interface ConflictDialogProps {
  /** Differences; closed without. */
  readonly found: readonly Difference[] | undefined;
  onCancel(): void;
  /** The names of contested fields whose own value is kept. */
  onResolve(keepMine: ReadonlySet<string>): void;
}

/** Somebody else saved the item meanwhile: shows what differs and lets the reader choose, field by field. */
export function ConflictDialog({ found, ...props }: ConflictDialogProps) {
  return (
    <Dialog
      opened={found !== undefined}
      onClose={props.onCancel}
      size="xl"
      title="This item was changed by someone else"
    >
      {found === undefined ? null : <Choice found={found} {...props} />}
    </Dialog>
  );
}

function Choice({ found, onCancel, onResolve }: ConflictDialogProps & { readonly found: readonly Difference[] }) {
  const contested = found.filter((difference) => difference.contested);
  const others = found.filter((difference) => !difference.contested);
  const [keepMine, setKeepMine] = useState<ReadonlySet<string>>(
    () => new Set(contested.map(({ field }) => field.name)),
  );
  const choose = (name: string, side: string): void => {
    const next = new Set(keepMine);
    if (side === 'mine') next.add(name);
    else next.delete(name);
    setKeepMine(next);
  };
  return (
    <Stack gap="md">
      <Text size="sm">
        {contested.length > 0
          ? 'Choose a value for each of these fields. They are saved only after your choice.'
          : 'The two changes are in different fields. Both are kept when you save.'}
      </Text>
      {contested.map(({ field, mine, theirs }, index) => (
        <Radio.Group
          key={field.name}
          label={field.displayName}
          value={keepMine.has(field.name) ? 'mine' : 'theirs'}
          onChange={(side) => choose(field.name, side)}
        >
          <Stack gap="icon" mt="icon">
            <Radio
              value="mine"
              data-autofocus={index === 0 || undefined}
              label={<Side field={field} name="Yours" value={mine} />}
            />
            <Radio value="theirs" label={<Side field={field} name="Theirs" value={theirs} />} />
          </Stack>
        </Radio.Group>
      ))}
      {others.map(({ field, before, theirs }) => (
        <Text key={field.name} size="sm" component="div">
          <b>{field.displayName}</b> was changed only by the other user: <ValueText field={field} value={before} /> →{' '}
          <ValueText field={field} value={theirs} />
        </Text>
      ))}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Back to the form
        </Button>
        <Button onClick={() => onResolve(keepMine)}>Save the chosen values</Button>
      </Group>
    </Stack>
  );
}

function Side({
  field,
  name,
  value,
}: Pick<Difference, 'field'> & { readonly name: string; readonly value: FormValue }) {
  return (
    <>
      <b>{name}:</b> <ValueText field={field} value={value} />
    </>
  );
}
