import { Checkbox, Stack, Text } from '@mantine/core';
import type { FormField, Grant, ModelInfo } from '@gantry/contracts';
import { DataTable } from '../../ui/data-table';
import { GrantDialog } from './grant-dialog';
import type { GrantFields } from './grants';

interface GrantFieldsDialogProps {
  readonly type: ModelInfo;
  readonly grant: Grant;
  onClose(): void;
  onChange(fields: GrantFields): void;
}

/** Which fields of a type the role shows, and which it lets be set. */
export function GrantFieldsDialog({ type, grant, onClose, onChange }: GrantFieldsDialogProps) {
  return (
    <GrantDialog type={type} part="Fields" onClose={onClose}>
      {({ fields }) => <FieldTable fields={fields} grant={grant} onChange={onChange} />}
    </GrantDialog>
  );
}

interface FieldTableProps extends Pick<GrantFieldsDialogProps, 'grant' | 'onChange'> {
  readonly fields: readonly FormField[];
}

function FieldTable({ fields, grant, onChange }: FieldTableProps) {
  const names = fields.map(({ name }) => name);
  const isAll = grant.readableFields === undefined && grant.writableFields === undefined;
  const readable = grant.readableFields ?? names;
  const writable = grant.writableFields ?? readable;
  const choose = (name: string, isShown: boolean, isSet: boolean): void =>
    onChange({
      readable: names.filter((other) => (other === name ? isShown : readable.includes(other))),
      writable: names.filter((other) => (other === name ? isShown && isSet : writable.includes(other))),
    });
  return (
    <Stack>
      <Checkbox
        label="All fields, including fields that are added later"
        checked={isAll}
        onChange={(event) =>
          onChange(
            event.currentTarget.checked
              ? { readable: undefined, writable: undefined }
              : { readable: names, writable: names },
          )
        }
      />
      {isAll ? null : (
        <>
          <Text size="sm" c="dimmed">
            A field that is not readable behaves as if it did not exist.
          </Text>
          <DataTable
            label="Fields"
            className="role-fields"
            rows={fields}
            rowKey={({ name }) => name}
            columns={[
              { title: 'Field', isRowHeader: true, cell: ({ displayName }) => displayName },
              {
                title: 'Readable',
                cell: ({ name, displayName }) => (
                  <Checkbox
                    aria-label={`Readable: ${displayName}`}
                    checked={readable.includes(name)}
                    onChange={(event) => choose(name, event.currentTarget.checked, writable.includes(name))}
                  />
                ),
              },
              {
                title: 'Writable',
                cell: ({ name, displayName }) => (
                  <Checkbox
                    aria-label={`Writable: ${displayName}`}
                    checked={readable.includes(name) && writable.includes(name)}
                    disabled={!readable.includes(name)}
                    onChange={(event) => choose(name, readable.includes(name), event.currentTarget.checked)}
                  />
                ),
              },
            ]}
          />
        </>
      )}
    </Stack>
  );
}
