import { Button } from '@mantine/core';
import { ApiError } from '../api/api-error';

export interface LostPageProps {
  readonly error: unknown;
  /** Where the page begins; undefined for the first one. */
  readonly after: string | undefined;
  openFirst(): void;
}

/** A way on where a list was refused: the place at which its page begins may be one that is no longer known. Asking again would be answered alike. */
export function LostPage({ error, after, openFirst }: LostPageProps) {
  const isRefused = error instanceof ApiError && error.status === 400;
  if (!isRefused || after === undefined) return null;
  return (
    <Button variant="default" className="keep-size" mr="auto" onClick={openFirst}>
      Go to the first page
    </Button>
  );
}
