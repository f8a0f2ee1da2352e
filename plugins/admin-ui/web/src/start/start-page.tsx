import { Anchor, Badge, Card, Code, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ModelInfo } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { contentQuery, readinessQuery, typesQuery } from '../api/queries';
import { groupByPlugin } from '../plugin-ui/group-by-plugin';
import { LinkButton } from '../ui/link-button';
import { PageHeader } from '../ui/page';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import { FirstSteps, NextSteps } from './steps';

/** Shows what the platform contains and the next steps. */
export function StartPage() {
  const { data: content } = useQuery(contentQuery);
  return (
    <>
      <PageHeader title="Start" description="Plugins bring item types, services and pages. This is what is here." />
      <Stack gap="lg">
        <Status />
        {content?.hasItems === false ? <FirstSteps /> : null}
        <Types />
        {content?.hasItems === true ? <NextSteps /> : null}
      </Stack>
    </>
  );
}

const statusColours = {
  ready: 'green',
  degraded: 'yellow',
  starting: 'blue',
  draining: 'yellow',
  unavailable: 'red',
} as const;

function Status() {
  const readiness = useQuery(readinessQuery);
  if (readiness.data === undefined) {
    return readiness.error === null ? (
      <LoadingState rows={1} />
    ) : (
      <ErrorState
        error={readiness.error}
        title="The state of the platform is unknown"
        onRetry={() => void readiness.refetch()}
      />
    );
  }
  const { status, parts } = readiness.data;
  const running = parts.filter((part) => part.name.startsWith('plugin ') && part.status === 'up').length;
  return (
    <Card withBorder component="section" aria-label="State of the platform">
      <Group gap="sm">
        <Badge color={statusColours[status]} variant="light" size="lg" tt="none">
          {status}
        </Badge>
        <Text>
          <Anchor component={Link} to="/plugins" underline="always" inherit>
            {running} {running === 1 ? 'plugin' : 'plugins'}
          </Anchor>{' '}
          running.
        </Text>
      </Group>
      {parts
        .filter((part) => part.status !== 'up')
        .map((part) => (
          <Text key={part.name} size="sm" mt="xs">
            <b>{part.name}</b> is {part.status}. {part.message}
          </Text>
        ))}
    </Card>
  );
}

function Types() {
  const types = useQuery(typesQuery);
  if (types.data === undefined) {
    return types.error === null ? (
      <LoadingState rows={4} />
    ) : (
      <ErrorState error={types.error} title="The item types could not be loaded" onRetry={() => void types.refetch()} />
    );
  }
  if (types.data.length === 0) return <NoTypes />;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} component="section" aria-label="Content">
      {groupByPlugin(types.data).map(({ plugin, label, types: members }) => (
        <Card key={plugin} withBorder>
          <Title order={2} size="h4" mb="xs">
            {label}
          </Title>
          <Stack gap={6}>
            {members.map((type) => (
              <TypeLine key={type.type} type={type} />
            ))}
          </Stack>
        </Card>
      ))}
    </SimpleGrid>
  );
}

function TypeLine({ type }: { readonly type: ModelInfo }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Anchor component={Link} to={`/content/${type.type}`} className="page-title">
        {type.displayName}
      </Anchor>
      {type.readOnly ? (
        <Text size="sm" c="dimmed" className="keep-size">
          read only
        </Text>
      ) : (
        <LinkButton to={`/content/${type.type}/new`} size="compact-xs" variant="default" className="keep-size">
          New<span className="visually-hidden"> {type.displayName}</span>
        </LinkButton>
      )}
    </Group>
  );
}

function NoTypes() {
  return (
    <Card withBorder>
      <EmptyState
        title="No plugin brings item types yet"
        action={<LinkButton to="/plugins">See the plugins</LinkButton>}
      >
        Put a plugin package into the folder <Code>plugins</Code>, or enable one that is there:{' '}
        <Code className="no-wrap">gantry plugins enable &lt;id&gt;</Code>
      </EmptyState>
    </Card>
  );
}
