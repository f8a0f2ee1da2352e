import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { Dialog } from '../../ui/dialog';
import { Failure } from '../../ui/failure';
import { createUser, type NewUser } from '../account-api';
import { RoleChoice } from './role-choice';
import { Secret } from '../secret';

interface NewUserDialogProps {
  readonly opened: boolean;
  onClose(): void;
  onCreated(): void;
}

export function NewUserDialog({ opened, onClose, onCreated }: NewUserDialogProps) {
  const [login, setLogin] = useState('');
  const [name, setName] = useState('');
  const [isService, setService] = useState(false);
  const [roles, setRoles] = useState<readonly string[]>([]);
  const create = useMutation({ mutationFn: (user: NewUser) => createUser(user), onSuccess: onCreated });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    create.mutate({
      kind: isService ? 'service' : 'person',
      login: login.trim(),
      ...(name.trim() === '' ? {} : { displayName: name.trim() }),
      roles,
    });
  };
  const close = (): void => {
    onClose();
    create.reset();
    setLogin('');
    setName('');
    setService(false);
    setRoles([]);
  };
  return (
    <Dialog opened={opened} onClose={close} title="New user">
      {create.isSuccess ? (
        <>
          <Secret
            title={
              create.data === undefined
                ? 'The service account is created.'
                : 'Send this link to the person. It works once, within 15 minutes.'
            }
            text={create.data ?? `gantry tokens create ${login.trim()} --name <name>`}
          />
          <Group justify="flex-end" mt="md">
            <Button onClick={close}>Close</Button>
          </Group>
        </>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
            <Failure error={create.error} />
            <Checkbox
              label="A service account: a program with API tokens, without a password"
              checked={isService}
              onChange={(event) => setService(event.currentTarget.checked)}
            />
            <TextInput
              label={isService ? 'Name of the service, such as price-import' : 'Email address'}
              value={login}
              data-autofocus
              onChange={(event) => setLogin(event.currentTarget.value)}
            />
            <TextInput label="Display name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
            <RoleChoice value={roles} onChange={setRoles} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isPending}>
                Create
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
