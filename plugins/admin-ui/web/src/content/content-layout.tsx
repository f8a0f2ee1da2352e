import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ItemMetadata } from '@gantry/contracts';
import { Outlet, useOutletContext, useParams } from 'react-router-dom';
import { mayReader } from '../api/platform/initial-data';
import { ApiError } from '../api/api-error';
import { metadataQuery, typesQuery } from '../api/queries';
import { WarningIcon } from '../ui/icons';
import { LinkButton } from '../ui/page/link-button';
import { PageHeader } from '../ui/page/page';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import { LastLists, useLeftLists } from './last-list';

/** Fetches what every page of an item type is made from. */
export function ContentLayout() {
  const { type = '' } = useParams();
  const metadata = useQuery(metadataQuery(type));
  const { data: types = [] } = useQuery(typesQuery);
  const lists = useLeftLists();
  const gone = metadata.error instanceof ApiError && metadata.error.code === 'TYPE_NOT_FOUND';
  // A page that is open stays, whatever happens to the platform meanwhile: nothing typed is lost.
  if (metadata.data !== undefined) {
    return (
      <LastLists value={lists}>
        {gone ? <TypeDisabledAlert name={metadata.data.displayName} onRetry={() => void metadata.refetch()} /> : null}
        <Outlet context={metadata.data} key={type} />
      </LastLists>
    );
  }
  if (metadata.error === null) return <LoadingState rows={8} />;
  if (gone) return <UnknownType type={type} />;
  return (
    <>
      <PageHeader title={types.find((known) => known.type === type)?.displayNamePlural ?? type} />
      <ErrorState
        error={metadata.error}
        title="The item type could not be loaded"
        onRetry={() => void metadata.refetch()}
      />
      {mayReader('plugins.read') ? (
        <LinkButton to="/plugins" variant="default">
          View plugins
        </LinkButton>
      ) : null}
    </>
  );
}

/** An unknown type is no failure: another request gets the same answer. */
function UnknownType({ type }: { readonly type: string }) {
  const [to, way] = mayReader('plugins.read') ? ['/plugins', 'View plugins'] : ['/', 'Go to the home page'];
  return (
    <>
      <PageHeader title="Item type not found" />
      <EmptyState
        title="Not found"
        action={
          <LinkButton to={to} variant="default">
            {way}
          </LinkButton>
        }
      >
        No running plugin provides the item type “{type}”, or your roles do not show it. Check the address.
      </EmptyState>
    </>
  );
}

/** Shown when the plugin of the type is disabled while a page of the type is open. */
function TypeDisabledAlert({ name, onRetry }: { readonly name: string; readonly onRetry: () => void }) {
  return (
    <Alert color="yellow" icon={<WarningIcon />} title={`${name} is no longer in use`} role="alert" mb="md">
      <Text size="sm">
        Its plugin was disabled while this page was open. All data and your changes on this page are kept. You can save
        them when the plugin is enabled again.
      </Text>
      <Group gap="xs" mt="sm">
        <LinkButton to="/plugins" variant="default" size="xs">
          View plugins
        </LinkButton>
        <Button size="xs" variant="default" onClick={onRetry}>
          Check again
        </Button>
      </Group>
    </Alert>
  );
}

/** The metadata of the type whose page is open. */
export function useMetadata(): ItemMetadata {
  return useOutletContext<ItemMetadata>();
}
