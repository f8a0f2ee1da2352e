import './home.css';
import { Stack, Code, Button, Menu } from '@mantine/core';
import type { HomeCard, ModelInfo } from '@gantry/contracts';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isReaderAdministrator, mayReader } from '../api/platform/initial-data';
import { contentQuery, typesQuery } from '../api/queries';
import { may } from '../common/may';
import { viewsQuery } from '../plugin-ui/views/views-query';
import { lazyPart } from '../ui/lazy-part';
import { PageHeader } from '../ui/page/page';
import { ErrorState, LoadingState, EmptyState } from '../ui/states';
import { useLongerThan } from '../ui/time/use-longer-than';
import { Attention } from './attention';
import { ContinuedItems } from './continued-items';
import { Orders } from './orders/orders';
import { RecentChanges } from './recent-changes';
import { SavedViews } from './saved-views';
import type { FirstStepsProps } from './steps';
import { LinkButton } from '../ui/page/link-button';
import { Surface } from '../ui/surface';
import { Link } from 'react-router-dom';
import { ChevronIcon, PlusIcon, TypeIcon } from '../ui/icons';

const today = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });

/** Start page: items that need attention, in numbers; orders; the last work of the reader; and changes by others. */
export function HomePage() {
  const { data: types } = useQuery(typesQuery);
  const creatable = (types ?? []).filter((type) => !type.readOnly && may(type, 'create'));
  const [now] = useState(() => new Date());
  return (
    <>
      <PageHeader
        title="Home"
        status={<span className="home-date">{today.format(now)}</span>}
        actions={<NewMenu types={creatable} />}
      />
      {useIsLoaded() ? <Parts creatable={creatable} /> : <LoadingState rows={6} />}
    </>
  );
}

const FirstSteps = lazyPart<FirstStepsProps>(
  async () => (await import('./steps')).FirstSteps,
  () => true,
);

const HomeCards = lazyPart<{ readonly cards: readonly HomeCard[] }>(
  async () => (await import('./home-cards')).HomeCards,
  ({ cards }) => cards.length > 0,
  undefined,
  () => false,
);

/** In milliseconds: what takes longer is left to the part that shows it. */
const longestWaitMs = 1500;

/** Whether all has been answered that is asked for first: what came later would move what is read already. */
function useIsLoaded(): boolean {
  const waits = useIsFetching({ predicate: ({ state }) => state.status === 'pending' }) > 0;
  const isLate = useLongerThan(longestWaitMs, waits);
  const [isLoaded, setIsLoaded] = useState(!waits);
  if (!isLoaded && (!waits || isLate)) setIsLoaded(true);
  return isLoaded;
}

function Parts({ creatable }: { readonly creatable: readonly ModelInfo[] }) {
  const { data: content } = useQuery(contentQuery);
  const { homeCards } = useQuery(viewsQuery).data;
  const { data: types, error, refetch } = useQuery(typesQuery);
  const mayCreate = isReaderAdministrator || creatable.length > 0;
  return (
    <Stack gap="md">
      <Attention />
      {types?.length === 0 ? <NoTypes /> : null}
      {types !== undefined || error === null ? null : (
        <ErrorState error={error} title="The item types could not be loaded" onRetry={() => void refetch()} />
      )}
      <div className="with-rail">
        <Stack gap="md" miw={0}>
          <HomeCards cards={homeCards} />
          {content?.hasItems === false && mayCreate ? (
            <FirstSteps mayAddTypes={isReaderAdministrator} types={creatable} />
          ) : null}
          {mayReader('order.read') ? <Orders /> : null}
          <ContinuedItems />
          <SavedViews />
        </Stack>
        <RecentChanges />
      </div>
    </Stack>
  );
}

/** For a reader who sees no item type. */
function NoTypes() {
  return (
    <Surface>
      {mayReader('plugins.read') ? (
        <EmptyState title="No item types yet" action={<LinkButton to="/plugins">View plugins</LinkButton>}>
          Put a plugin package into the folder <Code>plugins</Code>, or enable one that is there:{' '}
          <Code className="no-wrap">gantry plugins enable &lt;id&gt;</Code>
        </EmptyState>
      ) : (
        <EmptyState title="No item types">Your roles show none. Ask an administrator for another role.</EmptyState>
      )}
    </Surface>
  );
}

/** Creates an item of any type that the reader may create. */
function NewMenu({ types }: { readonly types: readonly ModelInfo[] }) {
  if (types.length === 0) return null;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button leftSection={<PlusIcon size={16} />} rightSection={<ChevronIcon size={16} />}>
          New
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="home-new">
        {types.map(({ type, displayName, icon }) => (
          <Menu.Item
            key={type}
            component={Link}
            to={`/content/${type}/new`}
            leftSection={<TypeIcon path={icon} size={16} />}
          >
            {displayName}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
