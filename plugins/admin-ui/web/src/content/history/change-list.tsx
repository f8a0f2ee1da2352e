import './change-list.css';
import type { ItemMetadata } from '@gantry/contracts';
import { Fragment } from 'react';
import type { ItemChange } from '../../api/changes';
import { actorText } from '../../ui/text/change-text';
import { ClockTime } from '../../ui/time/clock-time';
import { groupByDay } from '../../ui/text/group-by-day';
import { initialsOf } from '../../ui/text/initials';
import { ChangeSummary } from './change-summary';

export interface ChangeListProps {
  readonly metadata: ItemMetadata;
  /** The newest first. */
  readonly changes: readonly ItemChange[];
}

/** Changes of an item by day, a line each: who, what, when. */
export function ChangeList({ metadata, changes }: ChangeListProps) {
  if (changes.length === 0) return null;
  return (
    <ol className="change-list">
      {groupByDay(changes).map(({ day, changes: ofDay }) => (
        <Fragment key={day}>
          <li className="change-day">{day}</li>
          {ofDay.map((change) => (
            <li key={change.position}>
              <Avatar change={change} />
              <span className="change-actor">
                {actorText(change)}
                <span className="visually-hidden">: </span>
              </span>
              <ChangeSummary metadata={metadata} change={change} />
              <ChangeTime change={change} />
            </li>
          ))}
        </Fragment>
      ))}
    </ol>
  );
}

type ChangeProps = { readonly change: ItemChange };

/** The initials of who made a change. */
export function Avatar({ change }: ChangeProps) {
  const name = actorText(change);
  return (
    <span className="avatar" title={name} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** The time of day of a change. */
export function ChangeTime({ change }: ChangeProps) {
  return (
    <span className="change-time">
      <ClockTime at={change.at} />
    </span>
  );
}
