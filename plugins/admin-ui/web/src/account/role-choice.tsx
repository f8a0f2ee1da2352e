import { Checkbox, Stack } from '@mantine/core';
import type { Role } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { rolesQuery } from './roles/role-api';

interface RoleChoiceProps {
  readonly value: readonly string[];
  onChange(roles: readonly string[]): void;
}

/** The role `public` is that of requests without a credential. */
function isForUsers({ name }: Role): boolean {
  return name !== 'public';
}

/** The roles of a user. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  const { data: roles = [] } = useQuery(rolesQuery);
  return (
    <Checkbox.Group label="Roles" value={[...value]} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {roles.filter(isForUsers).map(({ name, displayName, description }) => (
          <Checkbox key={name} value={name} label={displayName} description={description} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
