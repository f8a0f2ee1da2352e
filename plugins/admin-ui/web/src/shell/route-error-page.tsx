import { useRouteError } from 'react-router-dom';
import { PageHeader } from '../ui/page';
import { ErrorState } from '../ui/states';

/** A page that failed; navigation and the other pages go on. */
export function RouteErrorPage() {
  const error = useRouteError();
  return (
    <>
      <PageHeader title="This page failed" />
      <ErrorState error={error} title="The page could not be shown" onRetry={() => window.location.reload()} />
    </>
  );
}
