import { Anchor } from '@mantine/core';
import type { ModelInfo } from '@gantry/contracts';
import type { OrderCount } from '../operations/api/orders';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { mayReader } from '../api/platform/initial-data';
import { filteredList } from '../content/list/list-state';
import {
  attentionQuery,
  pluginNamesQuery,
  readinessQuery,
  typesQuery,
  type AttentionEntry,
  type Readiness,
} from '../api/queries';
import { troubles } from './orders/troubles';
import { nameInSentence } from '../content/name-in-sentence';
import { attentionPage } from '../operations';
import { capitalized } from '../ui/text/capitalized';
import { cappedCount } from '../ui/text/capped-count';
import { WarningIcon } from '../ui/icons';
import { LinkButton } from '../ui/page/link-button';
import { ErrorState } from '../ui/states';
import { Surface } from '../ui/surface';
import { useOrderCounts } from './orders/use-order-counts';

/** Parts of the platform that do not run, and items that a type declares as needing a person; each leads to where it is done. */
export function Attention() {
  const { readiness, problems, namePart } = useProblems();
  const items = useQuery({ ...attentionQuery, refetchInterval: refreshMs });
  const { data: types = [] } = useQuery(typesQuery);
  const orders = useOrderCounts()?.attention;
  const entries = attentionEntries(items.data, orders, types);
  const isQuiet = entries?.length === 0 && readiness.data !== undefined && problems.length === 0;
  return (
    <section aria-label="Needs attention" className="home-attention">
      {readiness.error === null ? null : (
        <ErrorState
          error={readiness.error}
          title="The state of the platform could not be loaded"
          onRetry={() => void readiness.refetch()}
        />
      )}
      {items.error === null ? null : (
        <ErrorState error={items.error} title="The items could not be counted" onRetry={() => void items.refetch()} />
      )}
      <ul className="home-tiles">
        {entries?.map(({ to, title, count, isUrgent, what }) => (
          <Tile
            key={to}
            label={title}
            number={count}
            state={isUrgent ? 'danger' : 'warning'}
            to={to}
            action={`View ${what}`}
          />
        ))}
        {isQuiet ? <Tile label="Nothing needs attention" number="0" state="success" /> : null}
        <PlatformTile readiness={readiness.data} />
      </ul>
      {problems.length === 0 ? null : (
        <Surface title="Problems">
          <ul className="home-list">
            {problems.map((problem) => (
              <li key={`${problem.name} ${problem.subscription}`}>
                <WarningIcon size={16} className="home-trouble" />
                <span className="long-text">
                  <Anchor
                    component={Link}
                    to={problem.subscription === undefined ? '/plugins' : `/webhooks/${problem.subscription}`}
                    underline="always"
                    inherit
                  >
                    {capitalized(namePart(problem.name))}
                  </Anchor>
                  {problemText(problem)}
                </span>
              </li>
            ))}
          </ul>
        </Surface>
      )}
    </section>
  );
}

/** Goes on after the name of a part. What is wrong with a subscription its message says; its own page has a word for it. */
function problemText({ status, message, subscription }: Readiness['parts'][number]): string {
  if (message === undefined) return ` is ${status}.`;
  const sentence = `${capitalized(message)}${/[.!?]$/.test(message) ? '' : '.'}`;
  return subscription === undefined ? ` is ${status}. ${sentence}` : `: ${sentence}`;
}

interface TileProps {
  readonly label: string;
  /** As text; it may be capped. */
  readonly number: string;
  readonly state: 'danger' | 'warning' | 'success';
  /** Where it is done. */
  readonly to?: string;
  /** Text of the button. */
  readonly action?: string;
}

/** A number, and the one thing to do about it. */
function Tile({ label, number, state, to, action }: TileProps) {
  return (
    <li className="surface home-tile" data-state={state}>
      <span className="home-tile-label">{label}</span>
      <span className="home-tile-number">{number}</span>
      {to === undefined ? null : (
        <LinkButton to={to} size="xs" variant="default">
          {action}
          <span className="visually-hidden">: {label}</span>
        </LinkButton>
      )}
    </li>
  );
}

/** The parts of the platform that do not run, with what they are called: a plugin by its display name. */
function useProblems() {
  const readiness = useQuery({ ...readinessQuery, refetchInterval: refreshMs });
  const problems = troubles(readiness.data);
  const { data: names } = useQuery({ ...pluginNamesQuery, enabled: problems.length > 0 && mayReader('plugins.read') });
  const namePart = (name: string): string => (name.startsWith('plugin ') && names?.get(name.slice(7))) || name;
  return { readiness, problems, namePart };
}

interface Entry {
  readonly to: string;
  readonly title: string;
  readonly isUrgent?: boolean;
  /** Name of the list to which it leads. */
  readonly what: string;
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
  types: readonly ModelInfo[],
): readonly Entry[] | undefined {
  if (items === undefined) return undefined;
  const declared = items
    .filter(({ type }) => type !== 'order' || orders === undefined)
    .map(({ type, title, criteria, count, isMore }) => ({
      to: filteredList(type, criteria),
      title,
      what: nameInSentence(types.find((one) => one.type === type)?.displayNamePlural ?? type),
      count: cappedCount(count, isMore),
    }));
  if (orders === undefined || orders.count === 0) return declared;
  const counted = {
    to: attentionPage,
    title: 'Orders that need attention',
    what: 'orders',
    isUrgent: true,
    count: cappedCount(orders.count, orders.isCapped),
  };
  return [counted, ...declared];
}

/** In milliseconds; each refresh counts at most 1,000 items for each rule. */
const refreshMs = 30_000;

/** Empty for a reader who does not see the parts. Plugins that do not run are listed below. */
function PlatformTile({ readiness }: { readonly readiness: Readiness | undefined }) {
  const plugins = (readiness?.parts ?? []).filter(({ name }) => name.startsWith('plugin '));
  if (plugins.length === 0) return null;
  const running = plugins.filter(({ status }) => status === 'up').length;
  const isWhole = running === plugins.length;
  return (
    <Tile
      label="Plugins running"
      number={isWhole ? running.toLocaleString() : `${running.toLocaleString()} of ${plugins.length.toLocaleString()}`}
      state={isWhole ? 'success' : 'danger'}
      {...(mayReader('plugins.read') ? { to: '/plugins', action: 'View plugins' } : {})}
    />
  );
}
