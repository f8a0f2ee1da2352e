import { Alert, Code } from '@mantine/core';

/** A text that is shown once. */
export function Secret({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  return text === undefined ? null : (
    <Alert color="green" role="status" title={title} mt="sm">
      <Code className="account-secret">{text}</Code>
    </Alert>
  );
}
