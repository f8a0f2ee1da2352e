import { Checkbox, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Surface } from '../../ui/surface';
import { permissionsQuery } from './role-api';

interface PermissionListProps {
  /** Name of the role: built-in ones have what plugins declare for them. */
  readonly role: string;
  readonly chosen: readonly string[];
  readonly isReadOnly: boolean;
  onChange(permissions: readonly string[]): void;
}

/** Permissions of the role besides those on items. A permission of a plugin that is not in use stays in the role. */
export function PermissionList({ role, chosen, isReadOnly, onChange }: PermissionListProps) {
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const known = new Set(permissions.map(({ name }) => name));
  const all = [
    ...permissions,
    ...chosen
      .filter((name) => !known.has(name))
      .map((name) => ({ name, displayName: `${name} (of a plugin that is not in use)`, roles: [] })),
  ];
  const toggle = (name: string, isChosen: boolean): void =>
    onChange(isChosen ? [...chosen, name] : chosen.filter((other) => other !== name));
  return (
    <Surface title="Permissions">
      <Stack gap="sm">
        {all.map(({ name, displayName, roles = [] }) => (
          <Checkbox
            key={name}
            label={displayName}
            title={name}
            checked={chosen.includes(name) || roles.includes(role)}
            disabled={isReadOnly}
            onChange={(event) => toggle(name, event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </Surface>
  );
}
