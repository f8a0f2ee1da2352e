import { Button } from '@mantine/core';
import { ApiError } from '../../api/api-error';

export interface FirstPageButtonProps {
  readonly error: unknown;
  /** Where the page begins; undefined for the first one. */
  readonly after: string | undefined;
  openFirst(): void;
}

/** Leads to the first page where a list answered 400: its cursor may belong to an earlier declaration, so a retry fails again. */
export function FirstPageButton({ error, after, openFirst }: FirstPageButtonProps) {
  const isRefused = error instanceof ApiError && error.status === 400;
  if (!isRefused || after === undefined) return null;
  return (
    <Button variant="default" className="keep-size" mr="auto" onClick={openFirst}>
      Go to the first page
    </Button>
  );
}
