import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RemainingAccess } from '../account-api';

interface RemainingProps {
  readonly remaining: RemainingAccess;
}

/** API tokens and webhooks that work on after a password was reset, or a user was deleted. */
export function RemainingList({ remaining: { tokens, webhooks } }: RemainingProps) {
  return (
    <>
      <Part title="API tokens">
        {tokens.map(({ id, name, expiresAt }) => (
          <List.Item key={id}>
            <bdi>{name}</bdi>, until {new Date(expiresAt).toLocaleDateString()}
          </List.Item>
        ))}
      </Part>
      <Part title="Webhooks">
        {webhooks.map(({ id, name, url }) => (
          <List.Item key={id}>
            <bdi>{name}</bdi>, to {url}
          </List.Item>
        ))}
      </Part>
    </>
  );
}

/** Users, roles and tokens that the user has created for others, which stay. */
export function CreatedList({ remaining: { created } }: RemainingProps) {
  return (
    <>
      <Part title="Users">
        {created.users.map(({ id, login }) => (
          <List.Item key={id}>{login}</List.Item>
        ))}
      </Part>
      <Part title="Roles">
        {created.roles.map(({ name, displayName }) => (
          <List.Item key={name}>
            <bdi>{displayName}</bdi>
          </List.Item>
        ))}
      </Part>
      <Part title="API tokens of other users">
        {created.tokens.map(({ id, name, login }) => (
          <List.Item key={id}>
            <bdi>{name}</bdi> of {login}
          </List.Item>
        ))}
      </Part>
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <>
      <Text size="sm">{title}:</Text>
      <List size="sm">{children}</List>
    </>
  );
}

export function hasRemaining({ tokens, webhooks }: RemainingAccess): boolean {
  return tokens.length + webhooks.length > 0;
}

export function hasCreated({ created: { users, roles, tokens } }: RemainingAccess): boolean {
  return users.length + roles.length + tokens.length > 0;
}
