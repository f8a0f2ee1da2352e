import { Button, Code, Group, TextInput } from '@mantine/core';
import type { PluginChange, PluginReport } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isReaderAdministrator } from '../api/platform/initial-data';
import { RefreshIcon, SearchIcon } from '../ui/icons';
import { lazyPart } from '../ui/lazy-part';
import { IconButton } from '../ui/page/link-button';
import { LinkTabs } from '../ui/page/link-tabs';
import { PageHeader } from '../ui/page/page';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import { BehindNotice } from './change/behind-notice';
import type { CheckDialogProps } from './check/check-dialog';
import { DisableDialog } from './disable-dialog';
import { InstallButton } from './packages/install-button';
import { PackageDialog } from './packages/lazy-package-dialog';
import { allPluginsQuery, generationsQuery, isUnderWay } from './plugin-api';
import { PluginDrawer, type PluginAction } from './plugin-drawer';
import { isInTab, listPlugins, matchesText, pluginTabs, type ListedPlugin, type PluginTab } from './plugin-list';
import { PluginTable } from './plugin-table';
import { UninstallDialog } from './packages/uninstall-dialog';
import { usePackageChanging, type PackageChanging } from './packages/use-package-change';
import { usePluginChanging, type PluginChanging } from './change/use-plugin-change';
import { usePluginList, type PluginListControl } from './use-plugin-list';
import './plugins.css';
import { keepFocusInPage } from '../ui/keys/keep-focus-in-page';
import { ChangeProgress } from './change/change-progress';
import { lastFailure, shownChanges } from './change/shown-changes';
import { useNow } from '../ui/time/use-now';

const CheckDialog = lazyPart<CheckDialogProps>(
  async () => (await import('./check/check-dialog')).CheckDialog,
  ({ opened }) => opened,
  undefined,
  () => false,
);

/** Every discovered package: what it is, how it is, why, and what to do. */
export function PluginsPage() {
  const report = useQuery(allPluginsQuery);
  const generations = useQuery(generationsQuery).data;
  const { changes = [] } = generations ?? {};
  const mayInstall = isReaderAdministrator && generations?.takesPackages === true;
  const list = usePluginList();
  const all = listPlugins(report.data?.plugins ?? []);
  const isChanging = ({ id }: PluginReport): boolean =>
    changes.some((change) => isUnderWay(change) && change.plugins.includes(id));
  return (
    <div className="list-page">
      <PageHeader
        title="Plugins"
        status={all.length === 0 ? null : <span className="page-total">{all.length}</span>}
        actions={
          <Group gap="xs">
            <IconButton label="Refresh" size="lg" onClick={() => void report.refetch()}>
              <RefreshIcon />
            </IconButton>
            {mayInstall ? <InstallButton /> : null}
          </Group>
        }
      />
      <BehindNotice pluginSet={generations?.pluginSet} />
      <LatestChange changes={changes} names={new Map(all.map(({ plugin }) => [plugin.id, plugin.displayName]))} />
      {report.error === null ? null : (
        <ErrorState
          error={report.error}
          title="The plugins could not be loaded"
          onRetry={() => void report.refetch()}
        />
      )}
      {report.data === undefined && report.error === null ? <LoadingState rows={6} /> : null}
      {report.data === undefined ? null : (
        <>
          <PluginList list={list} all={all} isChanging={isChanging} />
          <OpenPlugin list={list} all={all} isChanging={isChanging} changes={changes} mayInstall={mayInstall} />
        </>
      )}
    </div>
  );
}

interface PluginPartProps {
  readonly list: PluginListControl;
  readonly all: readonly ListedPlugin[];
  isChanging(plugin: PluginReport): boolean;
}

const tabLabels: Readonly<Record<PluginTab, string>> = {
  all: 'All',
  running: 'Running',
  failed: 'Failed',
  disabled: 'Disabled',
};

function PluginList({ list, all, isChanging }: PluginPartProps) {
  const { state, addressOf, filter } = list;
  const shown = all.filter(({ plugin }) => isInTab(plugin, state.tab) && matchesText(plugin, state.text));
  const tabs = pluginTabs.map((tab) => {
    const count = all.filter(({ plugin }) => isInTab(plugin, tab)).length;
    return {
      key: tab,
      label: tabLabels[tab],
      to: addressOf({ tab }),
      isOpen: tab === state.tab,
      count: String(count),
      isUrgent: tab === 'failed' && count > 0,
    };
  });
  return (
    <>
      <LinkTabs label="Plugins by state" tabs={tabs} />
      <TextInput
        type="search"
        aria-label="Filter plugins"
        placeholder="Name, state or contribution"
        leftSection={<SearchIcon size={16} />}
        className="plugin-filter"
        value={state.text}
        onChange={(event) => filter(event.currentTarget.value)}
      />
      {shown.length > 0 ? (
        <div className="list-body surface">
          <PluginTable plugins={shown} addressOf={(key) => addressOf({ open: key })} isChanging={isChanging} />
          <div className="list-foot" role="status">
            {shown.length === all.length ? `${all.length} plugins` : `${shown.length} of ${all.length} plugins`}
          </div>
        </div>
      ) : (
        <NoPlugins list={list} isAny={all.length > 0} />
      )}
    </>
  );
}

function NoPlugins({ list, isAny }: { readonly list: PluginListControl; readonly isAny: boolean }) {
  if (!isAny) {
    return (
      <EmptyState title="No plugins were found">
        Install a plugin, or put its package into the folder <Code>plugins</Code>, refresh this page and enable it.
      </EmptyState>
    );
  }
  if (list.state.text === '') {
    return <EmptyState title={list.state.tab === 'failed' ? 'No plugin has failed' : 'No plugin is disabled'} />;
  }
  const clear = (
    <Button variant="default" onClick={() => list.filter('')}>
      Clear filters
    </Button>
  );
  return (
    <EmptyState title="No results" action={clear}>
      No plugin matches the filter.
    </EmptyState>
  );
}

interface OpenPluginProps extends PluginPartProps {
  readonly changes: readonly PluginChange[];
  readonly mayInstall: boolean;
}

/** The details of the plugin that the address names, with the dialogs that are opened from them. */
function OpenPlugin({ list, all, isChanging, changes, mayInstall }: OpenPluginProps) {
  const changing = usePluginChanging();
  const packages = usePackageChanging();
  const [asked, setAsked] = useState<Asked>();
  const { open } = list.state;
  const plugin = all.find(({ key }) => key === open)?.plugin;
  const close = (): void => {
    if (asked !== undefined) setAsked({ ...asked, opened: false });
    changing.enable.reset();
    changing.disable.reset();
    packages.reset();
  };
  return (
    <>
      <PluginDrawer
        open={open}
        plugin={plugin}
        isChanging={plugin !== undefined && isChanging(plugin)}
        failure={plugin === undefined ? undefined : lastFailure(changes, plugin.id)}
        isCovered={asked?.opened === true}
        mayInstall={mayInstall}
        mayUninstall={isReaderAdministrator}
        onAction={(action) => {
          if (plugin !== undefined) setAsked({ plugin, action, opened: true, count: (asked?.count ?? 0) + 1 });
        }}
        onClose={list.close}
      />
      {asked === undefined ? null : (
        <PluginDialog
          {...asked}
          plugins={all.map((listed) => listed.plugin)}
          changing={changing}
          packages={packages}
          onClose={close}
          onChanged={() => {
            close();
            // How the change goes is shown above the table.
            list.close();
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
  /** How many were opened. */
  readonly count: number;
}

interface PluginDialogProps extends Asked {
  readonly plugins: readonly PluginReport[];
  readonly changing: PluginChanging;
  readonly packages: PackageChanging;
  onClose(): void;
  /** Called when the plugin is being changed. */
  onChanged(): void;
}

function PluginDialog({ action, plugins, packages, count, ...props }: PluginDialogProps) {
  if (action === 'upgrade') return <PackageDialog key={count} {...props} changing={packages} />;
  if (action === 'uninstall') return <UninstallDialog {...props} changing={packages} />;
  if (action === 'disable') return <DisableDialog plugins={plugins} {...props} />;
  return <CheckDialog mayEnable={action === 'enable'} {...props} />;
}

/** How changes of the plugins go, and how the last ones went. */
function LatestChange({
  changes,
  names,
}: {
  readonly changes: readonly PluginChange[];
  readonly names: ReadonlyMap<string, string>;
}) {
  const [followed, setFollowed] = useState<ReadonlySet<string>>(new Set());
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const begun = changes.filter((change) => isUnderWay(change) && !followed.has(change.id));
  if (begun.length > 0) setFollowed(new Set([...followed, ...begun.map(({ id }) => id)]));
  useEffect(() => {
    if (dismissed.size > 0) keepFocusInPage();
  }, [dismissed]);
  const now = useNow(true, 10_000);
  const shown = shownChanges(changes, { followed, dismissed }, now);
  if (shown.length === 0) return null;
  return (
    <div className="change" data-followed={shown.some(({ id }) => followed.has(id)) || undefined}>
      {shown.map((change, index) => (
        <ChangeProgress
          key={change.id}
          change={change}
          names={names}
          isQueued={shown.slice(0, index).some(isUnderWay)}
          onDismiss={() => setDismissed(new Set([...dismissed, change.id]))}
        />
      ))}
    </div>
  );
}
