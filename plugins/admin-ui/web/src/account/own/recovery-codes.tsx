import { Alert, Code } from '@mantine/core';

/** The codes of the first second factor; shown once. */
export function RecoveryCodes({ codes = [] }: { readonly codes: readonly string[] | undefined }) {
  return codes.length === 0 ? null : (
    <Alert
      color="green"
      role="status"
      title="Keep these recovery codes: each one replaces the second factor once. They are not shown again."
      mb="sm"
    >
      <Code block>{codes.join('\n')}</Code>
    </Alert>
  );
}
