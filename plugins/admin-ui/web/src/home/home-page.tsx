import './home.css';
import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { mayReader } from '../api/initial-data';
import { contentQuery } from '../api/queries';
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
  return (
    <>
      <PageHeader title="Home" />
      <Stack gap="lg">
        {content?.hasItems === false && mayReader('plugins.read') ? <FirstSteps /> : null}
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
