import './home.css';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isReaderAdministrator, mayReader } from '../api/initial-data';
import { contentQuery, typesQuery } from '../api/queries';
import { may } from '../common/may';
import { PageHeader } from '../ui/page';
import { ErrorState } from '../ui/states';
import { Attention } from './attention';
import { ContinuedItems } from './continued-items';
import { NewMenu } from './new-menu';
import { NoTypes } from './no-types';
import { Orders } from './orders';
import { RecentChanges } from './recent-changes';
import { SavedViews } from './saved-views';
import { FirstSteps } from './steps';

const today = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });

/** What needs a person, in numbers; orders; where the reader stopped; and what others did. */
export function HomePage() {
  const { data: content } = useQuery(contentQuery);
  const { data: types, error, refetch } = useQuery(typesQuery);
  const creatable = (types ?? []).filter((type) => !type.readOnly && may(type, 'create'));
  return (
    <>
      <PageHeader
        title="Home"
        status={<span className="home-date">{today.format(new Date())}</span>}
        actions={<NewMenu types={creatable} />}
      />
      <Stack gap="md">
        <Attention />
        {types?.length === 0 ? <NoTypes /> : null}
        {types !== undefined || error === null ? null : (
          <ErrorState error={error} title="The item types could not be loaded" onRetry={() => void refetch()} />
        )}
        <div className="with-rail">
          <Stack gap="md" miw={0}>
            {content?.hasItems === false && (isReaderAdministrator || creatable.length > 0) ? (
              <FirstSteps mayAddTypes={isReaderAdministrator} types={creatable} />
            ) : null}
            {mayReader('order.read') ? <Orders /> : null}
            <ContinuedItems />
            <SavedViews />
          </Stack>
          <RecentChanges />
        </div>
      </Stack>
    </>
  );
}
