import { Button, Input, Stack, TextInput } from '@mantine/core';
import { CloseIcon, PlusIcon } from '../../ui/icons';
import { IconButton } from '../../ui/page/link-button';
import { nextKey, type HeaderDraft } from './webhook-draft';

export interface HeaderRowsProps {
  readonly headers: readonly HeaderDraft[];
  readonly error: string | undefined;
  onChange(headers: readonly HeaderDraft[]): void;
}

/** Header fields of each request. A stored value is never shown; typing replaces it. */
export function HeaderRows({ headers, error, onChange }: HeaderRowsProps) {
  const change = (key: number, part: Partial<HeaderDraft>): void =>
    onChange(headers.map((one) => (one.key === key ? { ...one, ...part } : one)));
  return (
    <Input.Wrapper
      role="group"
      aria-label="Header fields"
      label="Header fields"
      labelElement="div"
      description="Additional header fields of each request, such as Authorization. Values are stored encrypted and not shown again."
      error={error}
    >
      <Stack gap="xs" mt="xs">
        {headers.map(({ key, name, value }, index) => (
          <div key={key} className="webhook-header">
            <TextInput
              label="Name of the field"
              value={name}
              // The stored value belongs to this name.
              readOnly={value === undefined}
              onChange={(event) => change(key, { name: event.currentTarget.value })}
            />
            <TextInput
              label="Value of the field"
              value={value ?? ''}
              placeholder={value === undefined ? 'Stored; type to replace it' : undefined}
              autoComplete="off"
              onChange={(event) => change(key, { value: event.currentTarget.value })}
            />
            <IconButton
              label={`Remove header field ${index + 1}`}
              size={36}
              onClick={() => onChange(headers.filter((one) => one.key !== key))}
            >
              <CloseIcon size={16} />
            </IconButton>
          </div>
        ))}
        <Button
          variant="default"
          size="xs"
          mr="auto"
          leftSection={<PlusIcon size={14} />}
          onClick={() => onChange([...headers, { key: nextKey(headers), name: '', value: '' }])}
        >
          Add a header field
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
