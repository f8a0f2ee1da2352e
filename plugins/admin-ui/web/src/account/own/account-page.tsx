import '../account.css';
import { Alert, Button, Code, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { pageCaller } from '../../api/platform/initial-data';
import { PageHeader } from '../../ui/page/page';
import { initialsOf } from '../../ui/text/initials';
import { RecentTime } from '../../ui/time/relative-time';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states';
import { Surface } from '../../ui/surface';
import {
  changePassword,
  createToken,
  endSession,
  ownRolesQuery,
  passwordQuery,
  revokeToken,
  sessionsQuery,
  tokensQuery,
  type NewToken,
} from '../account-api';
import { AuthenticatorApp } from '../sign-in/authenticator-app';
import { Failure } from '../../ui/failure';
import { NewTokenForm } from './new-token-form';
import { Passkeys } from './passkeys';
import { passkeysQuery } from './passkeys-api';
import { Secret } from '../secret';
import { NewPassword } from '../sign-in/set-password-page';

/** Page for a person's own account. */
export function AccountPage() {
  if (pageCaller?.kind !== 'person') {
    return (
      <>
        <PageHeader title="Account" />
        <EmptyState title="The platform is open on this machine">
          Create the first administrator with <Code>gantry users create you@example.com --role administrator</Code>.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Account" />
      <div className="with-rail">
        <Stack>
          {pageCaller.viewsAs === undefined ? (
            <Credentials />
          ) : (
            <Surface>
              You view the pages as another role. End the view at the top of the page to change your API tokens,
              password and second factors.
            </Surface>
          )}
        </Stack>
        <Stack className="account-rail">
          <Person name={pageCaller.name} />
          <Sessions />
        </Stack>
      </div>
    </>
  );
}

/** Who the reader is, with the roles they have. */
function Person({ name }: { readonly name: string }) {
  const { data: roles = [] } = useQuery(ownRolesQuery);
  return (
    <Surface label="You">
      <div className="user">
        <span className="avatar" aria-hidden="true">
          {initialsOf(name)}
        </span>
        <div className="user-name">
          <span className="row-name">{name}</span>
          <span className="tags">
            {roles.map((role) => (
              <span key={role} className="tag">
                {role}
              </span>
            ))}
          </span>
        </div>
      </div>
    </Surface>
  );
}

/** A heading beside its content in a wide window, above it in a narrow one. */
function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Surface title={title} className="account-section">
      <div>{children}</div>
    </Surface>
  );
}

function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: endSession,
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <Surface title="Sessions">
      {sessions.error === null ? null : <ErrorState error={sessions.error} title="The sessions could not be loaded" />}
      <Failure error={end.error} />
      <ul className="account-list">
        {(sessions.data ?? []).map(({ id, address, userAgent, lastSeenAt, isCurrent }) => (
          <li key={id}>
            <div>
              <span className="account-name">{browserOf(userAgent)}</span>
              <span className="row-note">
                {address} · <RecentTime value={lastSeenAt} now={sessions.dataUpdatedAt} />
              </span>
            </div>
            {isCurrent ? (
              <span className="row-note">This session</span>
            ) : (
              <Button size="xs" variant="default" onClick={() => end.mutate(id)}>
                End the session
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Surface>
  );
}

function Tokens() {
  const tokens = useQuery(tokensQuery);
  const client = useQueryClient();
  const reload = () => client.invalidateQueries({ queryKey: tokensQuery.queryKey });
  const revoke = useMutation({ mutationFn: revokeToken, onSettled: reload });
  const create = useMutation({
    mutationFn: (token: NewToken) => createToken(token),
    onSettled: reload,
  });
  return (
    <Section title="API tokens">
      <Text size="sm" c="dimmed" mb="sm">
        Programs send a token as <Code>Authorization: Bearer gty_…</Code> and have your rights.
      </Text>
      {tokens.error === null ? null : <ErrorState error={tokens.error} title="The tokens could not be loaded" />}
      <Failure error={revoke.error} />
      <ul className="account-list">
        {(tokens.data ?? []).map(({ id, name, roles, managesAccounts, expiresAt, lastUsedAt }) => (
          <li key={id}>
            <div>
              <span className="account-name">{name}</span>
              <span className="row-note">
                {id} · {roles === null ? 'all your roles' : `only ${roles.join(', ')}`} ·{' '}
                {managesAccounts ? 'changes users, roles and tokens · ' : ''}expires {expiresAt.slice(0, 10)} ·{' '}
                {lastUsedAt === null ? (
                  'never used'
                ) : (
                  <>
                    used <RecentTime value={lastUsedAt} now={tokens.dataUpdatedAt} />
                  </>
                )}
              </span>
            </div>
            <Button size="xs" variant="default" onClick={() => revoke.mutate(id)} aria-label={`Revoke ${name}`}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <Secret title="Copy the token now: it is not shown again." text={create.data} />
      <Failure error={create.error} />
      <NewTokenForm isSending={create.isPending} onCreate={create.mutate} />
    </Section>
  );
}

/** All of them at once, so that none moves another. */
function Credentials() {
  const password = useQuery(passwordQuery);
  const hasNoPassword = password.data?.hasPassword === false;
  const passkeys = useQuery({ ...passkeysQuery, enabled: !password.isPending && !hasNoPassword });
  if (password.isPending || passkeys.isLoading) return <LoadingState rows={8} />;
  return (
    <>
      <PasswordAndSecondFactor />
      <Tokens />
    </>
  );
}

/** People who sign in by an identity provider have neither here. */
function PasswordAndSecondFactor() {
  const { data } = useQuery(passwordQuery);
  if (data?.hasPassword === false) {
    return (
      <Section title="Password">
        <Text size="sm">
          You sign in with {data.identityProvider ?? 'an identity provider'} and have no password here. Change your
          password and second factors there.
        </Text>
      </Section>
    );
  }
  return (
    <>
      <Password />
      <Section title="Authenticator app">
        <AuthenticatorApp />
      </Section>
      <Section title="Passkeys">
        <Passkeys />
      </Section>
    </>
  );
}

function Password() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => changePassword(current, next),
    onSuccess: () => {
      setCurrent('');
      setNext('');
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Section title="Password">
      <form onSubmit={submit}>
        <Stack maw={360}>
          <Failure error={change.error} />
          {change.isSuccess ? (
            <Alert color="green" role="status">
              The password is changed. Your other sessions have ended.
            </Alert>
          ) : null}
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show: Current password' }}
          />
          <NewPassword label="New password" value={next} onChange={setNext} />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              Change the password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** The name of a browser, as far as its own text says it. */
function browserOf(userAgent: string): string {
  const found = /(Firefox|Edg|OPR|Chrome|Safari)\/(\d+)/.exec(userAgent.replace(/Chrome\/\S+ .*(?=(Edg|OPR)\/)/, ''));
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
  const [, name = '', version = ''] = found ?? [];
  return found === null ? userAgent.slice(0, 60) || 'Unknown browser' : `${names[name] ?? name} ${version}`;
}
