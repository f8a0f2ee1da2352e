import { List, Text } from '@mantine/core';
import type { RemainingAccess } from './account-api';

/** API tokens and webhooks that work on after a password was reset. */
export function RemainingList({ remaining: { tokens, webhooks } }: { readonly remaining: RemainingAccess }) {
  return (
    <>
      {tokens.length === 0 ? null : <Text size="sm">API tokens:</Text>}
      <List size="sm">
        {tokens.map(({ id, name, expiresAt }) => (
          <List.Item key={id}>
            <bdi>{name}</bdi>, until {new Date(expiresAt).toLocaleDateString()}
          </List.Item>
        ))}
      </List>
      {webhooks.length === 0 ? null : <Text size="sm">Webhooks:</Text>}
      <List size="sm">
        {webhooks.map(({ id, name, url }) => (
          <List.Item key={id}>
            <bdi>{name}</bdi>, to {url}
          </List.Item>
        ))}
      </List>
    </>
  );
}

export function hasRemaining({ tokens, webhooks }: RemainingAccess): boolean {
  return tokens.length + webhooks.length > 0;
}
