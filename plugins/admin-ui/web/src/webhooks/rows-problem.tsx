import { Text } from '@mantine/core';

/** What is wrong with a group of rows. */
export function RowsProblem({ error }: { readonly error: string | undefined }) {
  return error === undefined ? null : (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {error}
    </Text>
  );
}
