import { Button, Text } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import type { ReactNode } from 'react';
import type { ItemChange } from '../../api/changes';
import { actorText } from '../../ui/text/change-text';
import { ChevronIcon } from '../../ui/icons';
import { LinkButton } from '../../ui/page/link-button';
import { Avatar, ChangeTime } from './change-list';
import { ChangeSummary } from './change-summary';
import { DifferenceList, ValueList, type Difference } from './difference-list';

export interface VersionEntryProps {
  readonly metadata: ItemMetadata;
  readonly change: ItemChange;
  /** The item has this version now. */
  readonly isCurrent: boolean;
  /** Its values are in sight already. */
  readonly isShown: boolean;
  /** Address of the comparison with the version that the item has now; undefined for that one. */
  readonly compareTo: string | undefined;
  /** Undefined where it cannot be restored. */
  readonly onRestore: (() => void) | undefined;
}

/** One version of an item, folded to a line: who made it, what changed, when. Opened, it shows each field and leads back to it. */
export function VersionEntry({ metadata, change, isCurrent, isShown, compareTo, onRestore }: VersionEntryProps) {
  return (
    <details className="version">
      <summary>
        <Avatar change={change} />
        <b className="clipped">
          <bdi>{actorText(change)}</bdi>
        </b>
        <ChangeSummary metadata={metadata} change={change} />
        <span className="version-number">
          Version {change.version}
          {isCurrent ? ' (current)' : ''}
        </span>
        <ChangeTime change={change} />
        <ChevronIcon size={16} />
      </summary>
      <div className="version-content sunken">
        {isShown ? null : <Content metadata={metadata} change={change} />}
        <Ways version={change.version} compareTo={compareTo} onRestore={onRestore} />
      </div>
    </details>
  );
}

/** Actions of a version. */
function Ways({
  version,
  compareTo,
  onRestore,
}: Pick<VersionEntryProps, 'compareTo' | 'onRestore'> & { readonly version: number }) {
  if (compareTo === undefined && onRestore === undefined) return null;
  return (
    <div className="version-actions">
      {onRestore === undefined ? null : (
        <Text size="sm" c="dimmed">
          Restoring adds a version; nothing is lost.
        </Text>
      )}
      {compareTo === undefined ? null : (
        <LinkButton to={compareTo} variant="subtle" size="xs">
          <span>
            Compare<span className="visually-hidden"> version {version} with the current one</span>
          </span>
        </LinkButton>
      )}
      {onRestore === undefined ? null : (
        <Button variant="default" size="xs" onClick={onRestore}>
          <span>
            Restore<span className="visually-hidden"> version {version}</span> …
          </span>
        </Button>
      )}
    </div>
  );
}

function Content({ metadata, change }: Pick<VersionEntryProps, 'metadata' | 'change'>): ReactNode {
  const { action, values, changed } = change;
  if (action !== 'updated') return values === undefined ? null : <ValueList metadata={metadata} values={values} />;
  if (changed.length > 0) return <DifferenceList metadata={metadata} differences={differencesOf(change)} />;
  return (
    <Text size="sm" c="dimmed">
      No field that you can see changed.
    </Text>
  );
}

/** Differences of a change in each field that it changed. */
function differencesOf({ changed, previous = {}, values = {} }: ItemChange): readonly Difference[] {
  return changed.map((field) => ({ field, before: previous[field], after: values[field] }));
}
