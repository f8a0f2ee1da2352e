import { Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ErrorState } from '../../ui/states';
import { AddPasskey, type NewPasskey } from './add-passkey';
import { PasskeyRow } from './passkey-row';
import { addPasskey, passkeysQuery } from './passkeys-api';
import { RecoveryCodes } from './recovery-codes';

/** The passkeys of the reader, one of which the sign-in then needs. */
export function Passkeys() {
  const passkeys = useQuery(passkeysQuery);
  const client = useQueryClient();
  const reload = () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  const add = useMutation({
    mutationFn: ({ name, password }: NewPasskey) => addPasskey(name, password),
    onSuccess: reload,
  });
  const reloadWithoutCodes = () => {
    add.reset();
    return reload();
  };
  return (
    <>
      <Text size="sm" mb="sm">
        A passkey is a key on your device or on a security key. With one, a password alone is not enough to sign in.
      </Text>
      {passkeys.error === null ? null : <ErrorState error={passkeys.error} title="The passkeys could not be loaded" />}
      <RecoveryCodes codes={add.data} />
      {passkeys.data === undefined ? null : (
        <>
          <ul className="account-list">
            {passkeys.data.passkeys.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                loadedAt={passkeys.dataUpdatedAt}
                onRenamed={reload}
                onRemoved={reloadWithoutCodes}
              />
            ))}
          </ul>
          <AddPasskey
            key={passkeys.data.passkeys.length}
            origin={passkeys.data.origin}
            isSending={add.isPending}
            error={add.error}
            onAdd={add.mutate}
          />
        </>
      )}
    </>
  );
}
