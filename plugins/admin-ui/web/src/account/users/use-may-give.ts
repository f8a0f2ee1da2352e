import { useQuery } from '@tanstack/react-query';
import { isReaderAdministrator } from '../../api/platform/initial-data';
import { ownRolesQuery } from '../account-api';

/** Whether the reader may give, and change users with, all of these roles: those that the reader has; an administrator all. */
export function useMayGive(): (roles: readonly string[]) => boolean {
  const { data: own = [] } = useQuery({ ...ownRolesQuery, enabled: !isReaderAdministrator });
  return (roles) => isReaderAdministrator || roles.every((role) => own.includes(role));
}
