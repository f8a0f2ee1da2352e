import type { PluginPage as PageEntry, PluginUiReport } from '@gantry/contracts';
import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router-dom';
import { LinkButton } from '../../ui/page/link-button';
import { PageHeader } from '../../ui/page/page';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states';
import { findPage, pageAddress } from './page-paths';
import { pluginUisQuery } from '../plugin-uis';
import { SlotBoundary } from '../slot-boundary';
import { usePluginUi, useRetry, useUiPart } from '../ui-context';
import { failureOf } from '../ui-failure';
import { TableOfPage } from '../views/table-page';
import { viewsQuery } from '../views/views-query';

/** While a page of a plugin is open, the platform is asked now and then, and when the tab is seen again, whether the plugin still runs. */
const pollIntervalMs = 10_000;

/** Draws the page of a plugin or module at `/x/<plugin>/<path>`. */
export function PluginPage() {
  const { plugin = '', '*': path = '' } = useParams();
  const table = useQuery(viewsQuery).data.tablePages.find((page) => page.plugin === plugin && page.name === path);
  return table === undefined ? <PageWithCode id={plugin} path={path} /> : <TableOfPage key={path} page={table} />;
}

function PageWithCode({ id, path }: { readonly id: string; readonly path: string }) {
  const uis = useQuery({ ...pluginUisQuery, staleTime: 0, refetchInterval: pollIntervalMs });
  const plugin = uis.data.find((one) => one.id === id);
  const found = plugin === undefined ? undefined : findPage(plugin.ui.pages, path);
  if (plugin !== undefined && found !== undefined) {
    return <OpenPage key={`${id} ${found.page.path}`} plugin={plugin} page={found.page} rest={found.rest} />;
  }
  if (plugin?.ui.problem !== undefined) {
    return <NoPage title={plugin.displayName} plugin={plugin} reason={whyNot(plugin)} />;
  }
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        title={plugin === undefined ? `No plugin "${id}" has pages` : `${plugin.displayName} has no such page`}
        action={
          <Group>
            {plugin?.ui.pages.map((page) => (
              <LinkButton key={page.path} to={pageAddress(id, page)} variant="default">
                {page.title}
              </LinkButton>
            ))}
            <LinkButton to="/plugins">View plugins</LinkButton>
          </Group>
        }
      >
        The page may have been removed, or the link may be out of date.
      </EmptyState>
    </>
  );
}

interface OpenPageProps {
  readonly plugin: PluginUiReport;
  readonly page: PageEntry;
  readonly rest: string;
}

function OpenPage({ plugin, page, rest }: OpenPageProps) {
  const reason = whyNot(plugin);
  const state = usePluginUi(plugin);
  // A page that is open stays when its plugin goes: nothing typed is lost.
  if (state.status === 'loaded') {
    return (
      <>
        {reason === undefined ? null : (
          <ErrorState
            title={`The plugin ${plugin.displayName} is no longer running`}
            error={new Error(`${reason} The content of this page stays until you leave it, but saving may fail.`)}
          />
        )}
        <Drawn plugin={plugin} page={page} rest={rest} />
      </>
    );
  }
  if (reason !== undefined) return <NoPage title={page.title} plugin={plugin} reason={reason} />;
  return <Waiting plugin={plugin} page={page} failure={state.status === 'failed' ? state.failure : undefined} />;
}

function Drawn({ plugin, page, rest }: OpenPageProps) {
  const retry = useRetry(plugin);
  const [search] = useSearchParams();
  const { part: Page } = useUiPart(plugin, (ui) => ui.pages?.[page.path]);
  if (Page === undefined) return <Waiting plugin={plugin} page={page} failure={undefined} />;
  return (
    <SlotBoundary
      renderFailure={(error, again) => (
        <>
          <PageHeader title={page.title} />
          <ErrorState
            title={`This page of the plugin ${plugin.displayName} failed`}
            error={failureOf(plugin, error)}
            onRetry={() => {
              again();
              retry();
            }}
          />
        </>
      )}
    >
      <Page rest={rest} search={search} />
    </SlotBoundary>
  );
}

function Waiting({
  plugin,
  page,
  failure,
}: Pick<OpenPageProps, 'plugin' | 'page'> & { readonly failure: Error | undefined }) {
  const retry = useRetry(plugin);
  return (
    <>
      <PageHeader title={page.title} />
      {failure === undefined ? (
        <LoadingState rows={6} />
      ) : (
        <ErrorState
          title={`The pages of the plugin ${plugin.displayName} could not be loaded`}
          error={failure}
          onRetry={retry}
        />
      )}
    </>
  );
}

interface NoPageProps {
  readonly title: string;
  readonly plugin: PluginUiReport;
  readonly reason: string | undefined;
}

function NoPage({ title, plugin, reason }: NoPageProps) {
  return (
    <>
      <PageHeader title={title} />
      <ErrorState title={`This page of the plugin ${plugin.displayName} cannot be shown`} error={new Error(reason)} />
      <LinkButton to="/plugins" variant="default">
        View plugins
      </LinkButton>
    </>
  );
}

/** Why the pages of a plugin are not served, as a sentence; undefined while they are. */
function whyNot({ displayName, state, problems, ui }: PluginUiReport): string | undefined {
  if (ui.problem !== undefined) return `${ui.problem.reason}. ${ui.problem.remedy}.`;
  if (ui.address !== undefined) return undefined;
  const [first] = problems;
  return `The plugin ${displayName} is ${state}${first === undefined ? '' : `: ${first.reason}. ${first.remedy}`}.`;
}
