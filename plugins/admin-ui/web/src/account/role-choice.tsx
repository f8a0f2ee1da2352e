import { Checkbox, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { publicRole, rolesQuery } from './roles/role-api';

interface RoleChoiceProps {
  readonly value: readonly string[];
  onChange(roles: readonly string[]): void;
}

/** The roles of a user. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  const { data: roles = [] } = useQuery(rolesQuery);
  return (
    <Checkbox.Group label="Roles" value={[...value]} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {roles
          .filter(({ name }) => name !== publicRole)
          .map(({ name, displayName, description }) => (
            <Checkbox key={name} value={name} label={displayName} description={description} />
          ))}
      </Stack>
    </Checkbox.Group>
  );
}
