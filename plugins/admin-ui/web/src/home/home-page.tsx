import './home.css';
import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isReaderAdministrator, mayReader } from '../api/initial-data';
import { contentQuery, typesQuery } from '../api/queries';
import { may } from '../common/may';
import { PageHeader } from '../ui/page';
import { Attention } from './attention';
import { Content } from './content';
import { Orders } from './orders';
import { RecentItems } from './recent-items';
import { Shortcuts } from './shortcuts';
import { FirstSteps, NextSteps } from './steps';

/** What needs attention, what was saved for later, and the content there is. */
export function HomePage() {
  const { data: content } = useQuery(contentQuery);
  const { data: types = [] } = useQuery(typesQuery);
  const mayCreate = isReaderAdministrator || types.some((type) => may(type, 'create'));
  return (
    <>
      <PageHeader title="Home" />
      <Stack gap="lg">
        {content?.hasItems === false && mayCreate ? <FirstSteps mayAddTypes={isReaderAdministrator} /> : null}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" className="home-top">
          <Stack gap="lg">
            <Attention />
            <Shortcuts />
            <RecentItems />
          </Stack>
          {mayReader('order.read') ? <Orders /> : null}
        </SimpleGrid>
        <Content />
        {content?.hasItems === true && mayReader('plugins.read') ? <NextSteps /> : null}
      </Stack>
    </>
  );
}
