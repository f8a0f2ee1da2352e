import { Alert, Badge, Card, Code, Group, List, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import type { PluginReport, PluginState } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pluginsQuery } from '../api/queries';
import { RefreshIcon, SearchIcon } from '../ui/icons';
import { IconButton } from '../ui/link-button';
import { PageHeader } from '../ui/page';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';

/** Every discovered package: what it is, how it is, why, and what to do. */
export function PluginsPage() {
  const report = useQuery(pluginsQuery);
  const [filter, setFilter] = useState('');
  const plugins = (report.data?.plugins ?? []).toSorted((left, right) => urgency(left) - urgency(right));
  const shown = plugins.filter((plugin) => textOf(plugin).includes(filter.trim().toLocaleLowerCase()));
  return (
    <>
      <PageHeader
        title="Plugins"
        description={
          report.data === undefined
            ? undefined
            : `${plugins.length} packages were found. The platform was ready ${Math.round(report.data.readyAfter)} ms after its start.`
        }
        actions={
          <IconButton label="Refresh" size="lg" variant="default" onClick={() => void report.refetch()}>
            <RefreshIcon />
          </IconButton>
        }
      />
      {report.error === null ? null : (
        <ErrorState
          error={report.error}
          title="The plugins could not be loaded"
          onRetry={() => void report.refetch()}
        />
      )}
      {report.data === undefined && report.error === null ? <LoadingState rows={6} /> : null}
      {report.data === undefined ? null : (
        <Stack gap="md">
          <TextInput
            type="search"
            aria-label="Filter plugins"
            placeholder="Filter by name, state or what it brings"
            leftSection={<SearchIcon size={16} />}
            maw={420}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
          {shown.map((plugin) => (
            <PluginCard key={`${plugin.id} ${plugin.folder}`} plugin={plugin} />
          ))}
          {plugins.length > 0 && shown.length === 0 ? (
            <EmptyState title="No plugin matches">Try another word.</EmptyState>
          ) : null}
          {plugins.length === 0 ? (
            <EmptyState title="No plugins were found">
              Put a plugin package into the folder <Code>plugins</Code> and start the platform again.
            </EmptyState>
          ) : null}
        </Stack>
      )}
    </>
  );
}

/** What needs a person comes first; the rest stays in the order of the report. */
function urgency({ state }: PluginReport): number {
  return state === 'failed' || state === 'incompatible' || state === 'blocked' ? 0 : 1;
}

const stateColours: Readonly<Record<PluginState, string>> = {
  started: 'green',
  stopped: 'gray',
  disabled: 'gray',
  blocked: 'yellow',
  incompatible: 'red',
  failed: 'red',
};

function PluginCard({ plugin }: { readonly plugin: PluginReport }) {
  const trouble = plugin.state === 'failed' || plugin.state === 'incompatible';
  return (
    <Card withBorder component="section" aria-label={plugin.displayName}>
      <Group gap="sm" mb="xs">
        <Title order={2} size="h4" className="page-title">
          {plugin.displayName}
        </Title>
        <Badge color={stateColours[plugin.state]} variant="light" tt="none">
          {plugin.state}
        </Badge>
        <Text size="sm" c="dimmed">
          {plugin.packageName} {plugin.version} · id {plugin.id}
        </Text>
      </Group>
      {plugin.problems.map((problem) => (
        <Alert
          key={`${problem.code} ${problem.reason}`}
          color={trouble ? 'red' : 'yellow'}
          variant="light"
          title={`${problem.code} in phase ${problem.phase}`}
          mb="xs"
        >
          <Text size="sm" className="long-text">
            {problem.reason}
          </Text>
          <Text size="sm" className="long-text">
            <b>What to do:</b> {problem.remedy}
          </Text>
        </Alert>
      ))}
      <Details plugin={plugin} />
      <Text size="sm" mt="xs">
        {plugin.state === 'disabled' ? 'Enable it:' : 'Disable it:'}{' '}
        <Code>
          gantry plugins {plugin.state === 'disabled' ? 'enable' : 'disable'} {plugin.id}
        </Code>
      </Text>
    </Card>
  );
}

function Details({ plugin }: { readonly plugin: PluginReport }) {
  const { itemTypes, taskQueues, routes } = plugin.contributes;
  const timings = Object.entries(plugin.timings);
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['Item types', itemTypes],
    ['Task queues', taskQueues],
    ['Routes', routes],
    ['Needs', Object.entries(plugin.dependsOn).map(([id, range]) => `${id} ${range}`)],
    ['Last phase', [plugin.phase]],
    [
      'Time per phase',
      timings.map(
        ([phase, milliseconds]) =>
          `${phase} ${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`,
      ),
    ],
    ['Folder', [plugin.folder]],
  ];
  return (
    <Table withRowBorders={false} verticalSpacing={2} className="details">
      <Table.Tbody>
        {lines
          .filter(([, values]) => values.length > 0)
          .map(([name, values]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>
                <List listStyleType="none" size="sm" className="inline-list">
                  {values.map((value) => (
                    <List.Item key={value}>{value}</List.Item>
                  ))}
                </List>
              </Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

function textOf({ displayName, id, packageName, state, contributes }: PluginReport): string {
  return [
    displayName,
    id,
    packageName,
    state,
    ...contributes.itemTypes,
    ...contributes.taskQueues,
    ...contributes.routes,
  ]
    .join(' ')
    .toLocaleLowerCase();
}
