import { Code, Stack, TextInput } from '@mantine/core';
import type { PluginChange, PluginReport } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { RefreshIcon, SearchIcon } from '../ui/icons';
import { IconButton } from '../ui/link-button';
import { durationText } from '../ui/duration-text';
import { PageHeader } from '../ui/page';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import { CheckDialog } from './check-dialog';
import { DisableDialog } from './disable-dialog';
import { allPluginsQuery, generationsQuery, isUnderWay } from './plugin-api';
import { PluginCard, type PluginAction } from './plugin-card';
import { usePluginChanging, type PluginChanging } from './use-plugin-change';
import './plugins.css';
import { keepFocusInPage } from '../ui/keep-focus-in-page';
import { ChangeProgress } from './change-progress';
import { shownChanges } from './shown-changes';

/** Every discovered package: what it is, how it is, why, and what to do. */
export function PluginsPage() {
  const report = useQuery(allPluginsQuery);
  const changing = usePluginChanging();
  const changes = useQuery(generationsQuery).data?.changes ?? [];
  const [asked, setAsked] = useState<Asked>();
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
            : `${plugins.length} packages were found. The platform was ready ${durationText(report.data.readyAfter)} after its start.`
        }
        actions={
          <IconButton label="Refresh" size="lg" variant="default" onClick={() => void report.refetch()}>
            <RefreshIcon />
          </IconButton>
        }
      />
      <LatestChange changes={changes} />
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
            <PluginCard
              key={`${plugin.id} ${plugin.folder}`}
              plugin={plugin}
              isChanging={changes.some((change) => isUnderWay(change) && change.plugins.includes(plugin.id))}
              onAction={(action) => setAsked({ plugin, action, opened: true })}
            />
          ))}
          {plugins.length > 0 && shown.length === 0 ? (
            <EmptyState title="No plugin matches">Try another word.</EmptyState>
          ) : null}
          {plugins.length === 0 ? (
            <EmptyState title="No plugins were found">
              Put a plugin package into the folder <Code>plugins</Code>, refresh this page and enable it.
            </EmptyState>
          ) : null}
        </Stack>
      )}
      {asked === undefined ? null : (
        <PluginDialog
          {...asked}
          plugins={plugins}
          changing={changing}
          onClose={() => {
            setAsked({ ...asked, opened: false });
            changing.enable.reset();
            changing.disable.reset();
          }}
        />
      )}
    </>
  );
}

/** Which dialog is or was open; a closed one stays, to give the focus back to what opened it. */
interface Asked {
  readonly plugin: PluginReport;
  readonly action: PluginAction;
  readonly opened: boolean;
}

interface PluginDialogProps extends Asked {
  readonly plugins: readonly PluginReport[];
  readonly changing: PluginChanging;
  onClose(): void;
}

function PluginDialog({ action, plugins, ...props }: PluginDialogProps) {
  if (action === 'disable') return <DisableDialog plugins={plugins} {...props} />;
  return <CheckDialog mayEnable={action === 'enable'} {...props} />;
}

/** What needs a person comes first; the rest stays in the order of the report. */
function urgency({ state }: PluginReport): number {
  return state === 'failed' || state === 'incompatible' || state === 'blocked' ? 0 : 1;
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

/** How changes of the plugins go, and how the last ones went. */
function LatestChange({ changes }: { readonly changes: readonly PluginChange[] }) {
  const [followed, setFollowed] = useState<ReadonlySet<string>>(new Set());
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const begun = changes.filter((change) => isUnderWay(change) && !followed.has(change.id));
  if (begun.length > 0) setFollowed(new Set([...followed, ...begun.map(({ id }) => id)]));
  useEffect(() => {
    if (dismissed.size > 0) keepFocusInPage();
  }, [dismissed]);
  const shown = shownChanges(changes, { followed, dismissed });
  if (shown.length === 0) return null;
  return (
    <div className="change" data-followed={shown.some(({ id }) => followed.has(id)) || undefined}>
      {shown.map((change, index) => (
        <ChangeProgress
          key={change.id}
          change={change}
          isQueued={shown.slice(0, index).some(isUnderWay)}
          onDismiss={() => setDismissed(new Set([...dismissed, change.id]))}
        />
      ))}
    </div>
  );
}
