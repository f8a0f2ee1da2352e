import { Alert } from '@mantine/core';
import { messageOf } from '../api/api-error';

/** Why the last action was refused. */
export function Failure({ error }: { readonly error: Error | null }) {
  return error === null ? null : (
    <Alert color="red" role="alert" mb="sm">
      {messageOf(error)}
    </Alert>
  );
}
