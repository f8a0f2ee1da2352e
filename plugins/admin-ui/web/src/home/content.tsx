import { nameInSentence } from '../content/name-in-sentence';
import { Anchor, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ModelInfo } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { mayReader } from '../api/initial-data';
import { typesQuery } from '../api/queries';
import { may } from '../common/may';
import { groupByPlugin, type PluginGroup } from '../plugin-ui/group-by-plugin';
import { TypeIcon } from '../ui/icons';
import { LinkButton } from '../ui/link-button';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import { Surface } from '../ui/surface';

/** Item types that are edited here, by plugin; those that services write are in the navigation. */
export function Content() {
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
      {groupByPlugin(types.data.filter(({ readOnly }) => !readOnly)).map((group) => (
        <PluginTypes key={group.plugin} group={group} />
      ))}
    </SimpleGrid>
  );
}

/** More are a matter of the navigation, which has a filter. */
const maxTypes = 8;

function PluginTypes({ group: { label, types } }: { readonly group: PluginGroup }) {
  const more = types.length - maxTypes;
  return (
    <Surface title={label}>
      <Stack gap="icon">
        {types.slice(0, maxTypes).map((type) => (
          <TypeLine key={type.type} type={type} />
        ))}
        {more > 0 ? (
          <Text size="sm" c="dimmed">
            {more} more in the navigation
          </Text>
        ) : null}
      </Stack>
    </Surface>
  );
}

function TypeLine({ type: model }: { readonly type: ModelInfo }) {
  const { type, displayName, displayNamePlural, icon } = model;
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Anchor component={Link} to={`/content/${type}`} className="home-type">
        <TypeIcon path={icon} size={16} />
        {displayNamePlural}
      </Anchor>
      {may(model, 'create') ? (
        <LinkButton to={`/content/${type}/new`} size="compact-xs" variant="default" className="keep-size">
          New<span className="visually-hidden"> {nameInSentence(displayName)}</span>
        </LinkButton>
      ) : null}
    </Group>
  );
}

function NoTypes() {
  if (!mayReader('plugins.read')) {
    return (
      <Surface>
        <EmptyState title="No item types">Your roles show none. Ask an administrator for another role.</EmptyState>
      </Surface>
    );
  }
  return (
    <Surface>
      <EmptyState title="No item types yet" action={<LinkButton to="/plugins">View plugins</LinkButton>}>
        Put a plugin package into the folder <Code>plugins</Code>, or enable one that is there:{' '}
        <Code className="no-wrap">gantry plugins enable &lt;id&gt;</Code>
      </EmptyState>
    </Surface>
  );
}
