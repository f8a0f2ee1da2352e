import { Checkbox, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { publicRole, rolesQuery } from '../roles/role-api';
import { useMayGive } from './use-may-give';

interface RoleChoiceProps {
  readonly value: readonly string[];
  onChange(roles: readonly string[]): void;
}

/** The roles of a user, of those that the reader may give. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  const { data: roles = [] } = useQuery(rolesQuery);
  const mayGive = useMayGive();
  return (
    <Checkbox.Group label="Roles" value={[...value]} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {roles
          .filter(({ name }) => name !== publicRole && mayGive([name]))
          .map(({ name, displayName, description }) => (
            <Checkbox key={name} value={name} label={displayName} description={description} />
          ))}
      </Stack>
    </Checkbox.Group>
  );
}
