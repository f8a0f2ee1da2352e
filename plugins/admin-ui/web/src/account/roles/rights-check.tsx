import { Alert, Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { itemActions, type ItemAction } from '@gantry/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { typesQuery } from '../../api/queries';
import { usersQuery } from '../account-api';
import { Failure } from '../../ui/failure';
import { Surface } from '../../ui/surface';
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
    <Surface title="Check the rights of a user">
      <Stack gap="sm">
        <div className="rights-check">
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
            label="Id of an item"
            placeholder="any"
            value={question.item}
            onChange={(event) => set({ item: event.currentTarget.value })}
          />
          <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
            Check
          </Button>
        </div>
        <Failure error={check.error} />
        {check.data === undefined ? null : (
          <Alert color={check.data.allowed ? 'green' : 'yellow'} role="status" title={check.data.reason}>
            {[...new Set(check.data.by.map(({ role }) => role))].map((role) => `By the role ${role}.`).join(' ')}
          </Alert>
        )}
      </Stack>
    </Surface>
  );
}
