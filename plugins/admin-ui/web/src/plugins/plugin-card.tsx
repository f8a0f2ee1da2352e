import { Alert, Badge, Button, Card, Group, List, Table, Text, Title } from '@mantine/core';
import type { PluginReport, PluginState } from '@gantry/contracts';

const stateColours: Readonly<Record<PluginState, string>> = {
  started: 'green',
  stopped: 'gray',
  disabled: 'gray',
  blocked: 'yellow',
  incompatible: 'red',
  failed: 'red',
};

export type PluginAction = 'check' | 'enable' | 'disable';

export interface PluginCardProps {
  readonly plugin: PluginReport;
  /** Whether a change of it is under way. */
  readonly isChanging: boolean;
  onAction(action: PluginAction): void;
}

/** One discovered package: what it is, how it is and why, and what can be done with it. */
export function PluginCard({ plugin, isChanging, onAction }: PluginCardProps) {
  const named = (action: string) => ({ 'aria-label': `${action} ${plugin.displayName}` });
  const trouble = plugin.state === 'failed' || plugin.state === 'incompatible';
  return (
    <Card withBorder component="section" aria-label={plugin.displayName}>
      <Group gap="sm" mb="xs">
        <Title order={2} size="h4" className="page-title">
          {plugin.displayName}
        </Title>
        <Badge color={stateColours[plugin.state]} variant="light" tt="none">
          {isFound(plugin) ? 'found, not in use yet' : plugin.state}
        </Badge>
        <Text size="sm" c="dimmed">
          {plugin.packageName} {plugin.version} · id {plugin.id}
        </Text>
      </Group>
      {plugin.problems.map((problem) => (
        <Alert
          key={`${problem.code} ${problem.reason}`}
          color={trouble ? 'red' : 'yellow'}
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
      {plugin.ui?.problem === undefined ? null : (
        <Alert color="yellow" title={`${plugin.ui.problem.code}: its pages are left out`} mb="xs">
          <Text size="sm" className="long-text">
            {plugin.ui.problem.reason}
          </Text>
          <Text size="sm" className="long-text">
            <b>What to do:</b> {plugin.ui.problem.remedy}
          </Text>
        </Alert>
      )}
      <Details plugin={plugin} />
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={() => onAction('check')} {...named('Check')}>
          Check
        </Button>
        {isEnabled(plugin) ? null : (
          <Button size="xs" loading={isChanging} onClick={() => onAction('enable')} {...named('Enable')}>
            Enable …
          </Button>
        )}
        {plugin.state === 'disabled' ? null : (
          <Button
            size="xs"
            variant="light"
            color="red"
            loading={isChanging}
            onClick={() => onAction('disable')}
            {...named('Disable')}
          >
            Disable …
          </Button>
        )}
      </Group>
    </Card>
  );
}

/** One that runs need not be enabled, unless its files are others by now: then a check reports it. */
function isEnabled({ state }: PluginReport): boolean {
  return state === 'started';
}

/**
 * Put into a plugin folder since the platform was started: it never got beyond the phases that run no code. The next
 * change or start takes it in, unless it is disabled first.
 */
function isFound({ state, phase }: PluginReport): boolean {
  return state === 'stopped' && phase === 'order';
}

function Details({ plugin }: { readonly plugin: PluginReport }) {
  const { itemTypes, taskQueues, routes } = plugin.contributes;
  const timings = Object.entries(plugin.timings);
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['Item types', itemTypes],
    ['Task queues', taskQueues],
    ['Routes', routes],
    ['Pages', plugin.ui?.pages.map(({ title }) => title) ?? []],
    ['Controls', plugin.ui?.fields ?? []],
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
    ['Notes', plugin.notes ?? []],
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
