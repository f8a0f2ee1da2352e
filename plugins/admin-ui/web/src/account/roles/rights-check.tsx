import { Alert, Button, Group, NativeSelect, Stack, TextInput, Title } from '@mantine/core';
import { itemActions, type ItemAction } from '@gantry/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { typesQuery } from '../../api/queries';
import { usersQuery } from '../account-api';
import { Failure } from '../../ui/failure';
import { explainRights, type RightsQuestion } from './role-api';

/** Asks whether a user may do something with the roles as they are saved, and shows why. */
export function RightsCheck() {
  const { data: users = [] } = useQuery(usersQuery);
  const { data: types = [] } = useQuery(typesQuery);
  const [asked, setAsked] = useState<Partial<RightsQuestion>>({});
  const set = (change: Partial<RightsQuestion>): void => setAsked((known) => ({ ...known, ...change }));
  const question: RightsQuestion = {
    ...{ user: users[0]?.login ?? '', type: types[0]?.type ?? '', action: 'read', item: '' },
    ...asked,
  };
  const check = useMutation({ mutationFn: () => explainRights(question) });
  return (
    <section aria-labelledby="rights-check">
      <Title order={2} id="rights-check" mb="xs">
        Check the rights of a user
      </Title>
      <Stack gap="sm">
        <Group align="end">
          <NativeSelect
            label="User"
            data={users.map(({ login }) => login)}
            value={question.user}
            onChange={(event) => set({ user: event.currentTarget.value })}
          />
          <NativeSelect
            label="Action"
            data={[...itemActions]}
            value={question.action}
            onChange={(event) => set({ action: event.currentTarget.value as ItemAction })}
          />
          <NativeSelect
            label="Type"
            data={types.map(({ type, displayName }) => ({ value: type, label: displayName }))}
            value={question.type}
            onChange={(event) => set({ type: event.currentTarget.value })}
          />
          <TextInput
            label="Id of one item"
            placeholder="any"
            value={question.item}
            onChange={(event) => set({ item: event.currentTarget.value })}
          />
          <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
            Check
          </Button>
        </Group>
        <Failure error={check.error} />
        {check.data === undefined ? null : (
          <Alert color={check.data.allowed ? 'green' : 'yellow'} role="status" title={check.data.reason}>
            {[...new Set(check.data.by.map(({ role }) => role))].map((role) => `By the role ${role}.`).join(' ')}
          </Alert>
        )}
      </Stack>
    </section>
  );
}
