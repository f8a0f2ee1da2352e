import { Alert, Button, Drawer, Group, List, Table, Text } from '@mantine/core';
import { namedContributionsOf, type PluginChange, type PluginReport } from '@gantry/contracts';
import { useState } from 'react';
import { LinkButton } from '../ui/page/link-button';
import { keepFocusInPage } from '../ui/keys/keep-focus-in-page';
import { EmptyState } from '../ui/states';
import { actionNames } from './change/change-progress';
import { isInTrouble } from './plugin-list';
import { Timestamp } from '../ui/time/timestamp';
import { PluginStateBadge } from './plugin-state-badge';

export type PluginAction = 'check' | 'enable' | 'disable' | 'upgrade' | 'uninstall';

export interface PluginDrawerProps {
  /** Key of the plugin that the address names. */
  readonly open: string | undefined;
  /** Undefined where there is no such plugin. */
  readonly plugin: PluginReport | undefined;
  /** Whether a change of it is under way. */
  readonly isChanging: boolean;
  /** Its last change, if that failed. */
  readonly failure: PluginChange | undefined;
  /** A dialog is open above: the Escape key is for that one. */
  readonly isCovered: boolean;
  /** Whether the reader may choose another package. */
  readonly mayInstall: boolean;
  readonly mayUninstall: boolean;
  onAction(action: PluginAction): void;
  onClose(): void;
}

/** Everything known about one package, and what can be done with it. */
export function PluginDrawer({ open, plugin, isCovered, onClose, ...props }: PluginDrawerProps) {
  const [last, setLast] = useState(plugin);
  if (plugin !== undefined && plugin !== last) setLast(plugin);
  // While it closes, it shows what it has shown.
  const shown = open === undefined ? last : plugin;
  return (
    <Drawer
      opened={open !== undefined}
      onClose={onClose}
      onExitTransitionEnd={keepFocusInPage}
      position="right"
      size="min(100vw, 560px)"
      // Above the header, below dialogs.
      zIndex={150}
      closeOnEscape={!isCovered}
      closeOnClickOutside={!isCovered}
      closeButtonProps={{ 'aria-label': 'Close' }}
      title={shown?.displayName ?? 'Plugin'}
      classNames={{ title: 'drawer-title' }}
    >
      {shown === undefined ? (
        <EmptyState title="Not found">No plugin has the id {open}.</EmptyState>
      ) : (
        <PluginDetails plugin={shown} {...props} />
      )}
    </Drawer>
  );
}

type PluginDetailsProps = Pick<
  PluginDrawerProps,
  'failure' | 'isChanging' | 'mayInstall' | 'mayUninstall' | 'onAction'
> & {
  readonly plugin: PluginReport;
};

function PluginDetails({ failure, ...props }: PluginDetailsProps) {
  const { plugin } = props;
  const { packageName, version, problems, ui } = plugin;
  return (
    <>
      <Group gap="sm" mb="md">
        <PluginStateBadge plugin={plugin} />
        <Text size="sm" c="dimmed" className="long-text">
          {packageName} {version}
        </Text>
      </Group>
      {problems.map((problem) => (
        <ProblemAlert
          key={`${problem.code} ${problem.reason}`}
          {...problem}
          colour={isInTrouble(plugin) && plugin.state !== 'blocked' ? 'red' : 'yellow'}
          title={`${problem.code} in phase ${problem.phase}`}
        />
      ))}
      {ui?.problem === undefined ? null : (
        <ProblemAlert {...ui.problem} colour="yellow" title={`${ui.problem.code}: its pages are left out`} />
      )}
      {failure?.error === undefined ? null : (
        <ProblemAlert
          colour="yellow"
          title={`${actionNames[failure.action]} failed`}
          reason={failure.error.message}
          remedy={failure.error.remedy}
          at={failure.since}
        />
      )}
      <Actions {...props} />
      <Details plugin={plugin} />
    </>
  );
}

interface ProblemAlertProps {
  readonly colour: string;
  readonly title: string;
  readonly reason: string;
  readonly remedy: string;
  /** When it happened, in ISO 8601, where that is known. */
  readonly at?: string;
}

function ProblemAlert({ colour, title, reason, remedy, at }: ProblemAlertProps) {
  return (
    <Alert color={colour} title={title} mb="sm">
      <Text size="sm" className="long-text">
        {reason}
      </Text>
      <Text size="sm" className="long-text">
        <b>Remedy:</b> {remedy}
      </Text>
      {at === undefined ? null : (
        <Text size="sm">
          The plugin is as it was before. <Timestamp value={at} />
        </Text>
      )}
    </Alert>
  );
}

/** The most likely action comes first: to enable a plugin that does not run, to check one that does. */
function Actions({ plugin, isChanging, mayInstall, mayUninstall, onAction }: Omit<PluginDetailsProps, 'failure'>) {
  const named = (action: string) => ({ 'aria-label': `${action} ${plugin.displayName}` });
  // A running plugin need not be enabled, unless its files have changed: then a check offers it.
  const canBeEnabled = plugin.state !== 'started';
  return (
    <Group gap="xs" mb="md">
      {canBeEnabled ? (
        <Button size="xs" loading={isChanging} onClick={() => onAction('enable')} {...named('Enable')}>
          Enable …
        </Button>
      ) : null}
      <Button size="xs" variant="default" onClick={() => onAction('check')} {...named('Check')}>
        Check
      </Button>
      {plugin.contributes.settings !== undefined && plugin.state === 'started' ? (
        <LinkButton size="xs" variant="default" to={`/plugins/${plugin.id}/settings`}>
          Settings
        </LinkButton>
      ) : null}
      {mayInstall ? (
        <Button
          size="xs"
          variant="default"
          loading={isChanging}
          onClick={() => onAction('upgrade')}
          {...named('Upgrade')}
        >
          Upgrade …
        </Button>
      ) : null}
      {plugin.state === 'disabled' ? null : (
        <Button
          size="xs"
          variant="default"
          className="quiet-danger"
          loading={isChanging}
          onClick={() => onAction('disable')}
          {...named('Disable')}
        >
          Disable …
        </Button>
      )}
      {mayUninstall && plugin.installed !== undefined ? (
        <Button
          size="xs"
          variant="default"
          className="quiet-danger"
          loading={isChanging}
          onClick={() => onAction('uninstall')}
          {...named('Uninstall')}
        >
          Uninstall …
        </Button>
      ) : null}
    </Group>
  );
}

function Details({ plugin }: { readonly plugin: PluginReport }) {
  const { itemTypes, taskQueues, routes, commands = [], homeCards = [], tablePages = [] } = plugin.contributes;
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['Id', [plugin.id]],
    ['Item types', itemTypes],
    ['Task queues', taskQueues],
    ...namedContributionsOf(plugin.contributes).map(({ many, names }) => [many, names] as const),
    ['Routes', routes],
    ['Commands', commands.map(({ name }) => `gantry call ${plugin.id} ${name}`)],
    ['System scope', plugin.systemScope === undefined ? [] : [plugin.systemScope]],
    ['Home cards', homeCards.map(({ title }) => title)],
    ['Pages', [...tablePages, ...(plugin.ui?.pages ?? [])].map(({ title }) => title)],
    ['Controls', plugin.ui?.fields ?? []],
    ['Depends on', Object.entries(plugin.dependsOn).map(([id, range]) => `${id} ${range}`)],
    ['Last phase', [plugin.phase]],
    ['Time per phase', Object.entries(plugin.timings).map(phaseTime)],
    ...installedLines(plugin),
    ['Folder', [plugin.folder]],
    ['Notes', plugin.notes ?? []],
  ];
  return (
    <Table withRowBorders={false} verticalSpacing={4} className="details">
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

function installedLines({ installed }: PluginReport): readonly (readonly [string, readonly string[]])[] {
  if (installed === undefined) return [];
  const { from, integrity, by, at } = installed;
  return [
    ['Installed from', [from]],
    ['Integrity', integrity === undefined ? [] : [integrity]],
    ['Installed by', [`${by}, ${new Date(at).toLocaleString()}`]],
  ];
}

function phaseTime([phase, milliseconds]: readonly [string, number]): string {
  return `${phase} ${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}
