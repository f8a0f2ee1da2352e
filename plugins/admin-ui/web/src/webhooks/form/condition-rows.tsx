import { Autocomplete, Button, Input, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { metadataQuery } from '../../api/queries';
import { CloseIcon, PlusIcon } from '../../ui/icons';
import { IconButton } from '../../ui/page/link-button';
import { nextKey, type ConditionDraft } from './webhook-draft';

export interface ConditionRowsProps {
  /** Of whose fields there are suggestions. */
  readonly types: readonly string[];
  readonly conditions: readonly ConditionDraft[];
  readonly error: string | undefined;
  onChange(conditions: readonly ConditionDraft[]): void;
}

/** Of more types, no fields are suggested. */
const maxSuggestedTypes = 5;

/** Conditions that all have to hold, for the values before a change or after it. */
export function ConditionRows({ types, conditions, error, onChange }: ConditionRowsProps) {
  const fields = useFieldNames(types);
  const change = (key: number, part: Partial<ConditionDraft>): void =>
    onChange(conditions.map((one) => (one.key === key ? { ...one, ...part } : one)));
  return (
    <Input.Wrapper
      role="group"
      aria-label="Filter"
      label="Filter"
      labelElement="div"
      description="Only changes for which all conditions hold, before the change or after it. A reference is compared by id. An empty value means no value."
      error={error}
    >
      <Stack gap="xs" mt="xs">
        {conditions.map(({ key, field, operator, value }, index) => (
          <div key={key} className="webhook-condition">
            <Autocomplete
              label="Field"
              data={[...fields]}
              limit={20}
              value={field}
              onChange={(text) => change(key, { field: text })}
            />
            <NativeSelect
              label="Operator"
              data={[
                { value: 'EQUALS', label: 'is' },
                { value: 'NOT_EQUALS', label: 'is not' },
              ]}
              value={operator}
              onChange={(event) =>
                change(key, { operator: event.currentTarget.value === 'EQUALS' ? 'EQUALS' : 'NOT_EQUALS' })
              }
            />
            <TextInput
              label="Value"
              value={value}
              onChange={(event) => change(key, { value: event.currentTarget.value })}
            />
            <IconButton
              label={`Remove condition ${index + 1}`}
              size={36}
              onClick={() => onChange(conditions.filter((one) => one.key !== key))}
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
          onClick={() =>
            onChange([...conditions, { key: nextKey(conditions), field: '', operator: 'EQUALS', value: '' }])
          }
        >
          Add a condition
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

function useFieldNames(types: readonly string[]): readonly string[] {
  const shown = types.length > maxSuggestedTypes ? [] : types;
  const found = useQueries({ queries: shown.map((type) => metadataQuery(type)) });
  return [...new Set(found.flatMap(({ data }) => (data?.fields ?? []).map(({ name }) => name)))];
}
