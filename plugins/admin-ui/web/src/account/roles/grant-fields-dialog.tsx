import { Checkbox, Stack, Text } from '@mantine/core';
import type { FormField, Grant, ModelInfo } from '@gantry/contracts';
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
        label="All fields, also those that are added later"
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
            A field that is not shown behaves as one that does not exist.
          </Text>
          <table className="role-fields">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Shown</th>
                <th scope="col">Can be set</th>
              </tr>
            </thead>
            <tbody>
              {fields.map(({ name, displayName }) => {
                const [isShown, isSet] = [readable.includes(name), writable.includes(name)];
                return (
                  <tr key={name}>
                    <th scope="row">{displayName}</th>
                    <td>
                      <Checkbox
                        aria-label={`Shown: ${displayName}`}
                        checked={isShown}
                        onChange={(event) => choose(name, event.currentTarget.checked, isSet)}
                      />
                    </td>
                    <td>
                      <Checkbox
                        aria-label={`Can be set: ${displayName}`}
                        checked={isShown && isSet}
                        disabled={!isShown}
                        onChange={(event) => choose(name, isShown, event.currentTarget.checked)}
                      />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </>
      )}
    </Stack>
  );
}
