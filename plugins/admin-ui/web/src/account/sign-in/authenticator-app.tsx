import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type SubmitEvent } from 'react';
import { encode } from 'uqr';
import { beginTotp, confirmTotp, removeTotp, totpQuery, type TotpSetup } from '../account-api';
import { Failure } from '../../ui/failure';
import { PasswordQuestion } from './password-question';
import { RecoveryCodes } from '../own/recovery-codes';

/** Sets up and removes an authenticator app, whose codes the sign-in then needs. */
export function AuthenticatorApp() {
  const state = useQuery(totpQuery);
  const client = useQueryClient();
  const reload = () => client.invalidateQueries({ queryKey: totpQuery.queryKey });
  const begin = useMutation({ mutationFn: beginTotp });
  const confirm = useMutation({
    mutationFn: confirmTotp,
    onSuccess: () => {
      begin.reset();
      return reload();
    },
  });
  const remove = useMutation({
    mutationFn: removeTotp,
    onSuccess: () => {
      confirm.reset();
      return reload();
    },
  });
  const isEnabled = state.data?.isEnabled === true;
  return (
    <>
      <Text size="sm" mb="sm">
        {isEnabled
          ? 'The sign-in needs the code of your authenticator app.'
          : 'With an authenticator app, a password alone is not enough to sign in.'}
      </Text>
      <RecoveryCodes codes={confirm.data} />
      {isEnabled ? (
        <PasswordQuestion
          action="Remove the app"
          isSending={remove.isPending}
          error={remove.error}
          onPassword={(password) => remove.mutate(password)}
        />
      ) : begin.data === undefined ? (
        <PasswordQuestion
          action="Set up an app"
          isSending={begin.isPending}
          error={begin.error}
          onPassword={(password) => begin.mutate(password)}
        />
      ) : (
        <Setup
          setup={begin.data}
          isSending={confirm.isPending}
          error={confirm.error}
          onCode={(code) => confirm.mutate(code)}
        />
      )}
    </>
  );
}

interface SetupProps {
  readonly setup: TotpSetup;
  readonly isSending: boolean;
  readonly error: Error | null;
  onCode(code: string): void;
}

function Setup({ setup: { secret, uri }, isSending, error, onCode }: SetupProps) {
  const [code, setCode] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onCode(code);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">
          Scan the QR code with the app, or enter the key <Code className="account-secret">{secret}</Code>
        </Text>
        <QrCode text={uri} />
        <Failure error={error} />
        <Group align="flex-end">
          <TextInput
            label="Code that the app shows"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Button type="submit" loading={isSending}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function QrCode({ text }: { readonly text: string }) {
  const { size, path } = useMemo(() => {
    const { size: width, data } = encode(text, { border: 4 });
    const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size: width, path: squares.join('') };
  }, [text]);
  return (
    <svg role="img" aria-label="QR code of the key" width={200} height={200} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
