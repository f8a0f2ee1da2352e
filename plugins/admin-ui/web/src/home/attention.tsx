import { Anchor, Badge, Group, Text } from '@mantine/core';
import type { OrderCount } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { mayReader } from '../api/initial-data';
import { filteredList } from '../content/list/list-state';
import { attentionQuery, pluginNamesQuery, readinessQuery, type AttentionEntry, type Readiness } from '../api/queries';
import { attentionPage } from '../operations';
import { cappedCount } from '../ui/capped-count';
import { CheckIcon, WarningIcon } from '../ui/icons';
import { ErrorState, LoadingState } from '../ui/states';
import { Surface } from '../ui/surface';
import { useOrderCounts } from './use-order-counts';

/** Parts of the platform that do not run, and items that a type declares as needing a person; each leads to where it is done. */
export function Attention() {
  const readiness = useQuery({ ...readinessQuery, refetchInterval: refreshMs });
  const items = useQuery({ ...attentionQuery, refetchInterval: refreshMs });
  const orders = useOrderCounts()?.attention;
  const entries = attentionEntries(items.data, orders);
  const namePart = usePartNames(troubles(readiness.data).length > 0);
  return (
    <Surface
      title="Needs attention"
      aside={readiness.data === undefined ? null : <PlatformStatus readiness={readiness.data} />}
    >
      {readiness.error === null ? null : (
        <ErrorState
          error={readiness.error}
          title="The state of the platform is unknown"
          onRetry={() => void readiness.refetch()}
        />
      )}
      {items.error === null ? null : (
        <ErrorState error={items.error} title="The items could not be counted" onRetry={() => void items.refetch()} />
      )}
      {items.isPending || readiness.isPending ? <LoadingState rows={2} /> : null}
      <ul className="home-list">
        {troubles(readiness.data).map(({ name, status, message, subscription }) => (
          <li key={`${name} ${subscription}`}>
            <WarningIcon size={16} className="home-trouble" />
            <Anchor component={Link} to={subscription === undefined ? '/plugins' : `/webhooks/${subscription}`} inherit>
              {namePart(name)}
            </Anchor>
            <Text size="sm" c="dimmed" className="home-note">
              {status}
              {message === undefined ? '' : `: ${message}`}
            </Text>
          </li>
        ))}
        {entries?.map(({ to, title, count }) => (
          <li key={to}>
            <WarningIcon size={16} className="home-trouble" />
            <Anchor component={Link} to={to} inherit>
              {title}
            </Anchor>
            <Badge variant="light" color="yellow" ml="auto">
              {count}
            </Badge>
          </li>
        ))}
      </ul>
      {entries?.length === 0 && readiness.data !== undefined && troubles(readiness.data).length === 0 ? (
        <Group gap="xs">
          <CheckIcon size={16} />
          <Text size="sm">Nothing needs attention</Text>
        </Group>
      ) : null}
    </Surface>
  );
}

/** What a part of the platform is called: a plugin by its display name. */
function usePartNames(isNeeded: boolean): (name: string) => string {
  const { data } = useQuery({ ...pluginNamesQuery, enabled: isNeeded && mayReader('plugins.read') });
  return (name) => (name.startsWith('plugin ') && data?.get(name.slice(7))) || name;
}

interface Entry {
  readonly to: string;
  readonly title: string;
  /** As text; it may be capped. */
  readonly count: string;
}

/**
 * The list of orders has more of them that need attention than a rule about the values of a field can say: also those that are
 * stalled. So its number is shown, and none of the rules of the type.
 */
function attentionEntries(
  items: readonly AttentionEntry[] | undefined,
  orders: OrderCount | undefined,
): readonly Entry[] | undefined {
  if (items === undefined) return undefined;
  const declared = items
    .filter(({ type }) => type !== 'order' || orders === undefined)
    .map(({ type, title, criteria, count, isMore }) => ({
      to: filteredList(type, criteria),
      title,
      count: cappedCount(count, isMore),
    }));
  if (orders === undefined || orders.count === 0) return declared;
  const counted = {
    to: attentionPage,
    title: 'Orders that need attention',
    count: cappedCount(orders.count, orders.isCapped),
  };
  return [counted, ...declared];
}

/** In milliseconds; each refresh counts at most 1,000 items for each rule. */
const refreshMs = 30_000;

const statusColours = {
  ready: 'green',
  degraded: 'yellow',
  starting: 'blue',
  draining: 'yellow',
  unavailable: 'red',
} as const;

function PlatformStatus({ readiness: { status, parts } }: { readonly readiness: Readiness }) {
  // Who does not see the parts can do nothing about them.
  if (parts.length === 0) return null;
  const running = parts.filter((part) => part.name.startsWith('plugin ') && part.status === 'up').length;
  return (
    <Group gap="xs" wrap="nowrap">
      {mayReader('plugins.read') ? (
        <Anchor component={Link} to="/plugins" size="sm">
          {running} {running === 1 ? 'plugin' : 'plugins'} running
        </Anchor>
      ) : null}
      <Badge color={statusColours[status]} variant="light" tt="none">
        {status}
      </Badge>
    </Group>
  );
}

function troubles(readiness: Readiness | undefined): Readiness['parts'] {
  return (readiness?.parts ?? []).filter(({ status }) => status !== 'up');
}
