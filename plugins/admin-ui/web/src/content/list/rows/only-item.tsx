import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router-dom';
import { listQuery } from '../../../api/queries';
import { EmptyState, ErrorState, LoadingState } from '../../../ui/states';
import { useMetadata } from '../../content-layout';

/** Leads to the form of the one item of a singleton. */
export function OnlyItem() {
  const { code, displayName } = useMetadata();
  const { data, error, refetch } = useQuery(listQuery(code, { limit: 1, criteria: [] }));
  if (error !== null) {
    return <ErrorState error={error} title={`${displayName} could not be loaded`} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <LoadingState rows={8} />;
  const [only] = data.items;
  if (only === undefined) return <EmptyState title={displayName}>Your roles do not show it.</EmptyState>;
  return <Navigate to={`/content/${code}/${only.id}`} replace />;
}
