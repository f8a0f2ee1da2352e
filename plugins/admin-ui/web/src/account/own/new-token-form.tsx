import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { mayReader } from '../../api/platform/initial-data';
import { ownRolesQuery, type NewToken } from '../account-api';
import { rolesQuery } from '../roles/role-api';

interface NewTokenFormProps {
  readonly isSending: boolean;
  onCreate(token: NewToken): void;
}

/** An API token of the reader, with all rights of the reader or with fewer. */
export function NewTokenForm({ isSending, onCreate }: NewTokenFormProps) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const [roles, setRoles] = useState<readonly string[]>([]);
  const [managesAccounts, setManagesAccounts] = useState(false);
  const choices = useRoleChoices();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    onCreate({
      ...{ name: name.trim(), expiresInDays: Number(days) },
      ...(roles.length === 0 ? {} : { roles }),
      ...(managesAccounts ? { managesAccounts } : {}),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack mt="md">
        <Group align="flex-end">
          <TextInput label="Name of the token" value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <TextInput
            label="Days until it expires"
            inputMode="numeric"
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
            w={160}
          />
          <Button type="submit" variant="default" loading={isSending}>
            Create a token
          </Button>
        </Group>
        {choices.length < 2 ? null : (
          <Checkbox.Group
            label="Limited to these roles"
            description="If no role is selected, the token has all your rights."
            value={[...roles]}
            onChange={setRoles}
          >
            <Group gap="md" mt="xs">
              {choices.map((role) => (
                <Checkbox key={role} value={role} label={role} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
        {mayReader('users.manage') ? (
          <Checkbox
            label="May change users, roles and tokens"
            description="As far as its roles allow that. Users, roles and tokens that it creates stay when it is revoked."
            checked={managesAccounts}
            onChange={(event) => setManagesAccounts(event.currentTarget.checked)}
          />
        ) : null}
      </Stack>
    </form>
  );
}

/** The own roles; of an administrator, who has the rights of all, every role. */
function useRoleChoices(): readonly string[] {
  const { data: own = [] } = useQuery(ownRolesQuery);
  const isAdministrator = own.includes('administrator');
  const { data: all = [] } = useQuery({ ...rolesQuery, enabled: isAdministrator });
  return isAdministrator ? all.map(({ name }) => name) : own;
}
