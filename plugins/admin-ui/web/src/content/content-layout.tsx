import { useQuery } from '@tanstack/react-query';
import type { ItemMetadata } from '@gantry/contracts';
import { Outlet, useOutletContext, useParams } from 'react-router-dom';
import { ApiError } from '../api/api-error';
import { metadataQuery } from '../api/queries';
import { LinkButton } from '../ui/link-button';
import { PageHeader } from '../ui/page';
import { ErrorState, LoadingState } from '../ui/states';

/** Fetches what every page of an item type is made from. */
export function ContentLayout() {
  const { type = '' } = useParams();
  const metadata = useQuery(metadataQuery(type));
  // A page that is open stays, whatever happens to the platform meanwhile: nothing typed is lost.
  if (metadata.data !== undefined) return <Outlet context={metadata.data} key={type} />;
  if (metadata.error === null) return <LoadingState rows={8} />;
  const gone = metadata.error instanceof ApiError && metadata.error.code === 'TYPE_NOT_FOUND';
  return (
    <>
      <PageHeader title={gone ? 'No such item type' : type} />
      <ErrorState
        error={metadata.error}
        title={gone ? 'No plugin that runs brings this item type' : 'The item type could not be loaded'}
        onRetry={() => void metadata.refetch()}
      />
      <LinkButton to="/plugins" variant="default">
        See the plugins
      </LinkButton>
    </>
  );
}

/** The metadata of the type whose page is open. */
export function useMetadata(): ItemMetadata {
  return useOutletContext<ItemMetadata>();
}
