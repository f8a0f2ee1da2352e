import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { isUnavailable } from '../api/api-error';
import { readinessQuery } from '../api/queries';
import { PageHeader } from '../ui/page/page';
import { ErrorState } from '../ui/states';

/** A page that failed; navigation and the other pages go on. One whose script did not arrive is loaded as soon as the platform answers. */
export function RouteErrorPage() {
  const error = useRouteError();
  return (
    <>
      <PageHeader title="This page failed" />
      <ErrorState error={error} title="The page could not be shown" onRetry={reload} />
      {isUnavailable(error) ? <ReloadWhenReachable /> : null}
    </>
  );
}

function ReloadWhenReachable() {
  // Under a separate key: an answer from before the failure says nothing.
  const { data, dataUpdatedAt } = useQuery({
    ...readinessQuery,
    queryKey: ['reachable'],
    gcTime: 0,
    refetchInterval: reachablePollMs,
  });
  useEffect(() => {
    if (data !== undefined && mayReload()) reload();
  }, [data, dataUpdatedAt]);
  return null;
}

const reachablePollMs = 3_000;
const reloadedAt = 'gantry.reloaded-at';

/** A script that is missing for another reason is missing after the reload, too: not more than one reload in half a minute. */
function mayReload(): boolean {
  const last = Number(sessionStorage.getItem(reloadedAt) ?? 0);
  if (Date.now() - last < 30_000) return false;
  sessionStorage.setItem(reloadedAt, String(Date.now()));
  return true;
}

function reload(): void {
  window.location.reload();
}
