import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { messageOf } from '../../api/api-error';
import { Failure } from '../../ui/failure';
import { endAccess, setPassword, type RemainingAccess } from '../account-api';
import { focusFirst } from './focus-first';
import { FactorError, SecondFactorFields } from './second-factor-fields';
import { CreatedList, hasCreated, hasRemaining, RemainingList } from '../users/remaining-access';
import { SingleCard } from '../single-card';
import { useSecondFactor } from './use-second-factor';

/** Opened from a one-time link. The secret is behind the `#`, which browsers send to no server. */
export function SetPasswordPage() {
  const [secret] = useState(() => location.hash.slice(1));
  const [password, setText] = useState('');
  const [repeated, setRepeated] = useState('');
  const [remaining, setRemaining] = useState<RemainingAccess>();
  const factor = useSecondFactor(async (proof) => {
    const left = await setPassword(secret, password, proof);
    if (hasRemaining(left) || hasCreated(left)) setRemaining(left);
    else openPages();
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (password === repeated) void factor.submit();
    else factor.refuse('The two passwords are not the same.');
  };
  if (remaining !== undefined) return <Remaining remaining={remaining} />;
  return (
    <SingleCard title="Set a password">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text c="dimmed" size="sm">
            At least 8 characters. A few unrelated words work best.
          </Text>
          <FactorError factor={factor} />
          <NewPassword label="New password" value={password} onChange={setText} isFirst />
          <NewPassword label="Repeat the new password" value={repeated} onChange={setRepeated} />
          <SecondFactorFields factor={factor} />
          <Button type="submit" loading={factor.isSending}>
            Set the password
          </Button>
        </Stack>
      </form>
    </SingleCard>
  );
}

function openPages(): void {
  location.replace('/admin/');
}

/** Another password does not end it, and somebody else may have made it. */
function Remaining({ remaining }: { readonly remaining: RemainingAccess }) {
  const [isEnding, setEnding] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const end = (): void => {
    setEnding(true);
    endAccess(remaining).then(openPages, (failure: unknown) => {
      setEnding(false);
      setError(failure instanceof Error ? failure : new Error(messageOf(failure)));
    });
  };
  return (
    <SingleCard title="Your password is set">
      <Stack>
        <Failure error={error} />
        {hasCreated(remaining) ? (
          <>
            <Text size="sm">
              You have created these users, roles and API tokens for others. They are kept: check for any that you do
              not know.
            </Text>
            <CreatedList remaining={remaining} />
          </>
        ) : null}
        {hasRemaining(remaining) ? (
          <>
            <Text size="sm">This access remains. End it if somebody else may have used your account.</Text>
            <RemainingList remaining={remaining} />
            <Group>
              <Button variant="default" loading={isEnding} onClick={end}>
                End this access
              </Button>
              <Button onClick={openPages}>Keep this access</Button>
            </Group>
          </>
        ) : (
          <Group>
            <Button onClick={openPages}>Continue</Button>
          </Group>
        )}
      </Stack>
    </SingleCard>
  );
}

interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  readonly isFirst?: boolean;
  onChange(value: string): void;
}

/** A password that a password manager may suggest. */
export function NewPassword({ label, value, isFirst = false, onChange }: NewPasswordProps) {
  return (
    <PasswordInput
      label={label}
      autoComplete="new-password"
      {...(isFirst ? { ref: focusFirst } : {})}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': `Show: ${label}` }}
    />
  );
}
