import { Anchor, Text } from '@mantine/core';
import type { ModelInfo } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { mayReader } from '../api/platform/initial-data';
import { itemName } from '../api/label';
import { typesQuery } from '../api/queries';
import { nameInSentence } from '../content/name-in-sentence';
import { actorText, sourceText } from '../ui/text/change-text';
import { initialsOf } from '../ui/text/initials';
import { ClockTime } from '../ui/time/clock-time';
import { groupByDay } from '../ui/text/group-by-day';
import { ErrorState } from '../ui/states';
import { Surface } from '../ui/surface';
import { readChanges, recentChangesQuery } from './changes-queries';
import type { ItemChange } from '../api/changes';

/** Changes of one person or program in items of one type in one go. */
interface ChangeGroup {
  /** The newest of them. */
  readonly change: ItemChange;
  /** The oldest of them. */
  readonly oldest: ItemChange;
  /** Of different items. */
  readonly count: number;
}

/** The changes of a feed, the newest first, where those that differ only in the item, and follow within minutes, are one. */
export function groupChanges(changes: readonly ItemChange[]): readonly ChangeGroup[] {
  const groups: { change: ItemChange; oldest: ItemChange; ids: Set<string> }[] = [];
  for (const change of changes) {
    const group = groups.find(({ oldest }) => isAlike(oldest, change));
    if (group === undefined) groups.push({ change, oldest: change, ids: new Set([change.id]) });
    else {
      group.oldest = change;
      group.ids.add(change.id);
    }
  }
  return groups.map(({ change, oldest, ids }) => ({ change, oldest, count: ids.size }));
}

function isAlike(newer: ItemChange, older: ItemChange): boolean {
  const parts = ['type', 'action', 'actor', 'source'] as const;
  return parts.every((part) => newer[part] === older[part]) && Date.parse(newer.at) - Date.parse(older.at) < maxGapMs;
}

const maxGapMs = 10 * 60_000;

const maxGroups = 10;

const verbs = {
  created: 'created',
  updated: 'changed',
  deleted: 'deleted',
  restored: 'restored',
  left: 'no longer visible',
} as const;

/** Latest changes; a change of many items is one line. */
export function RecentChanges() {
  const { data: types = [] } = useQuery(typesQuery);
  const { data: changes, error, refetch } = useQuery(recentChangesQuery);
  if (changes?.length === 0 || (changes === undefined && error === null)) return null;
  const groups = groupChanges(changes ?? []).slice(0, maxGroups);
  const days = groupByDay(groups.map((group) => ({ ...group, at: group.change.at })));
  const isCut = (group: ChangeGroup): boolean => changes?.length === readChanges && group.oldest === changes.at(-1);
  return (
    <Surface
      title="Recent changes"
      aside={
        mayReader('audit.read') ? (
          <Anchor component={Link} to="/audit" size="sm">
            All changes
          </Anchor>
        ) : null
      }
    >
      {error === null ? null : (
        <ErrorState error={error} title="The changes could not be loaded" onRetry={() => void refetch()} />
      )}
      {days.map(({ day, changes: ofDay }, index) => (
        <section key={day} aria-label={day}>
          <Text component="h3" size="sm" c="dimmed" mt={index === 0 ? 0 : 'md'} mb="xs">
            {day}
          </Text>
          <ol className="home-changes">
            {ofDay.map((group) => (
              <ChangeRow key={group.change.position} group={group} isCut={isCut(group)} types={types} />
            ))}
          </ol>
        </section>
      ))}
    </Surface>
  );
}

function ChangeRow({ group, isCut, types }: ChangedItemsProps) {
  const { change } = group;
  return (
    <li>
      <span className="avatar" aria-hidden="true">
        {initialsOf(actorText(change))}
      </span>
      <span className="home-change">
        <b>{actorText(change)}</b> {verbs[change.action]} <ChangedItems group={group} isCut={isCut} types={types} />
        {change.actor?.startsWith('user:') === true ? ` ${sourceText(change.source) ?? ''}` : ''}
      </span>
      <span className="home-time">
        <ClockTime at={change.at} />
      </span>
    </li>
  );
}

interface ChangedItemsProps {
  readonly group: ChangeGroup;
  /** There are more of them than were read. */
  readonly isCut: boolean;
  readonly types: readonly ModelInfo[];
}

function ChangedItems({ group: { change, count }, isCut, types }: ChangedItemsProps) {
  const { type, id, action, values = {} } = change;
  const known = types.find((one) => one.type === type);
  if (count > 1) {
    const plural = nameInSentence(known?.displayNamePlural ?? type);
    return (
      <Anchor component={Link} to={`/content/${type}`} inherit>
        {count.toLocaleString()}
        {isCut ? '+' : ''} {plural}
      </Anchor>
    );
  }
  const text = itemName({ id, values }, known).slice(0, 80);
  const label = text === id ? `${nameInSentence(known?.displayName ?? type)} ${id}` : text;
  if (action === 'deleted' || action === 'left') return <bdi>{label}</bdi>;
  return (
    <Anchor component={Link} to={`/content/${type}/${id}`} inherit>
      <bdi>{label}</bdi>
    </Anchor>
  );
}
