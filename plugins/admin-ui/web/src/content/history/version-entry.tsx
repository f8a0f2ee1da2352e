import { Button, Text } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import type { ReactNode } from 'react';
import type { ItemChange } from '../../api/changes';
import { RelativeTime } from '../../ui/relative-time';
import { LinkButton } from '../../ui/link-button';
import { actionText, actorText, sourceText } from '../../ui/change-text';
import { DifferenceList, ValueList, type Difference } from './difference-list';

export interface VersionEntryProps {
  readonly metadata: ItemMetadata;
  readonly change: ItemChange;
  /** The item has this version now. */
  readonly isCurrent: boolean;
  /** Its values are in sight already. */
  readonly isShown: boolean;
  /** When the history was read, in milliseconds. */
  readonly now: number;
  /** Address of the comparison with the version that the item has now; undefined for that one. */
  readonly compareTo: string | undefined;
  /** Undefined where it cannot be restored. */
  readonly onRestore: (() => void) | undefined;
}

/** One version of an item: who made it, when, and what it changed. */
export function VersionEntry({ metadata, change, isCurrent, isShown, now, compareTo, onRestore }: VersionEntryProps) {
  const source = sourceText(change.source);
  const name = `version ${change.version}`;
  return (
    <li className="version" data-action={change.restoredVersion === undefined ? change.action : 'restored'}>
      <div className="version-head">
        <div className="page-title">
          <Text size="sm" component="h2" fw={400}>
            <b>
              <bdi>{actorText(change)}</bdi>
            </b>{' '}
            {actionText(change)}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            Version {change.version}
            {isCurrent ? ' (current)' : ''} · <RelativeTime value={change.at} now={now} />
            {source === undefined ? null : ` · ${source}`}
          </Text>
        </div>
        <div className="version-actions">
          {compareTo === undefined ? null : (
            <LinkButton to={compareTo} variant="subtle" size="compact-sm">
              <span>
                Compare<span className="visually-hidden"> {name} with the current one</span>
              </span>
            </LinkButton>
          )}
          {onRestore === undefined ? null : (
            <Button variant="default" size="compact-sm" onClick={onRestore}>
              <span>
                Restore<span className="visually-hidden"> {name}</span> …
              </span>
            </Button>
          )}
        </div>
      </div>
      {isShown ? null : <Content metadata={metadata} change={change} />}
    </li>
  );
}

function Content({ metadata, change }: Pick<VersionEntryProps, 'metadata' | 'change'>): ReactNode {
  const { action, values, changed } = change;
  if (action !== 'updated') {
    if (values === undefined) return null;
    return (
      <details className="version-values">
        <summary>{valuesTitles[action]}</summary>
        <ValueList metadata={metadata} values={values} />
      </details>
    );
  }
  if (changed.length === 0) return <NoDifference />;
  return <DifferenceList metadata={metadata} differences={differencesOf(change)} />;
}

const valuesTitles = {
  created: 'First values',
  deleted: 'Last values',
  restored: 'Restored values',
  left: 'Values',
} as const;

function NoDifference() {
  return (
    <Text size="sm" c="dimmed">
      No field that you can see changed.
    </Text>
  );
}

/** What a change did to each field that it changed. */
function differencesOf({ changed, previous = {}, values = {} }: ItemChange): readonly Difference[] {
  return changed.map((field) => ({ field, before: previous[field], after: values[field] }));
}
