import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ClockIcon } from '../../ui/icons';
import { historyAddress } from '../history/event-pages';
import { durationText } from '../../ui/text/duration-text';
import { Moment } from '../../ui/time/moment';
import { ActivityIcon, ChildIcon, SignalIcon } from '../ui/operation-icons';
import { stateColour, StateBadge } from '../ui/state-badge';
import { WorkflowLink } from '../workflows/workflow-table';
import type { GroupKind, TimelineGroup } from './timeline-groups';

export interface TimelineProps {
  readonly groups: readonly TimelineGroup[];
  /** Begin and end of the drawing in milliseconds; what goes on reaches to the end. */
  readonly from: number;
  readonly to: number;
  readonly eventCount: number;
}

/**
 * Steps of a run, drawn over its time. The browser leaves out hidden parts (`content-visibility`), so that
 * thousands of bars stay quick.
 */
export function Timeline({ groups, from, to, eventCount }: TimelineProps) {
  return (
    <div className="timeline">
      <div className="timeline-scale" aria-hidden="true">
        {scaleOf(to - from).map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
      <ol aria-label="Timeline">
        {groups.map((group) => (
          <TimelineRow key={group.events[0]} group={group} from={from} to={to} eventCount={eventCount} />
        ))}
      </ol>
    </div>
  );
}

/** Scale over a drawing of so many milliseconds, at equal distances; no text twice. */
function scaleOf(length: number): readonly string[] {
  return [...new Set(['Start', durationText(length / 2), durationText(length)])];
}

interface RowProps {
  readonly group: TimelineGroup;
  readonly from: number;
  readonly to: number;
  readonly eventCount: number;
}

const kinds: Readonly<Record<GroupKind, { readonly text: string; readonly Icon: typeof ClockIcon }>> = {
  activity: { text: 'Activity', Icon: ActivityIcon },
  timer: { text: 'Timer', Icon: ClockIcon },
  child: { text: 'Child workflow', Icon: ChildIcon },
  signal: { text: 'Signal', Icon: SignalIcon },
};

function TimelineRow({ group, from, to, eventCount }: RowProps) {
  const { text, Icon } = kinds[group.kind];
  return (
    <li className="timeline-row">
      <div className="timeline-name">
        <Icon size={16} />
        <span className="visually-hidden">{text}</span>
        <span className="page-title">{nameOf(group)}</span>
      </div>
      <div className="timeline-track" aria-hidden="true">
        <Bar group={group} from={from} to={to} />
      </div>
      <div className="timeline-state">
        <StateBadge state={group.state} />
        {(group.attempt ?? 1) > 1 ? (
          <Text size="xs" component="span" className="no-wrap">
            attempt {group.attempt}
          </Text>
        ) : null}
        <span className="timeline-time">{timeText(group, to)}</span>
      </div>
      <Text size="xs" component="div" className="timeline-note">
        {group.lastFailure === undefined ? null : <span className="long-text failure-text">{group.lastFailure} </span>}
        {group.nextAttemptTime === undefined ? null : (
          <span>
            Next attempt at <Moment value={group.nextAttemptTime} />.{' '}
          </span>
        )}
        <EventLink group={group} eventCount={eventCount} />
      </Text>
    </li>
  );
}

function nameOf({ kind, name, start, until, workflowId, runId }: TimelineGroup): ReactNode {
  if (kind === 'timer') return `Timer of ${durationText((until ?? start) - start)}`;
  if (kind === 'child' && workflowId !== undefined) {
    return <WorkflowLink workflowId={workflowId} {...(runId === undefined ? {} : { runId })} />;
  }
  return <bdi>{name}</bdi>;
}

function timeText({ kind, start, end, until }: TimelineGroup, to: number): ReactNode {
  if (kind === 'signal') return <Moment value={start} />;
  if (end === undefined && until !== undefined) return `${durationText(Math.max(0, until - to))} left`;
  return durationText((end ?? to) - start);
}

function EventLink({ group, eventCount }: { readonly group: TimelineGroup; readonly eventCount: number }) {
  const [first = ''] = group.events;
  return (
    <Anchor component={Link} to={historyAddress(first, eventCount)} inherit underline="always">
      {group.events.length === 1 ? 'event' : 'events'} {group.events.join(', ')}
    </Anchor>
  );
}

/** The bar begins hatched while an activity waited or was tried before, and is full while its last attempt ran. */
function Bar({ group, from, to }: Omit<RowProps, 'eventCount'>) {
  const { start, startedAt, end, kind, state, attempt } = group;
  const offsetOf = (time: number): number =>
    to <= from ? 0 : Math.min(100, Math.max(0, ((time - from) / (to - from)) * 100));
  const left = offsetOf(start);
  const width = Math.max(0, offsetOf(end ?? to) - left);
  const waited = width === 0 || startedAt === undefined ? 0 : ((offsetOf(startedAt) - left) / width) * 100;
  const retried = (attempt ?? 1) > 1;
  return (
    <span
      className="timeline-bar"
      data-kind={kind}
      data-color={stateColour(state)}
      data-open={end === undefined || undefined}
      style={{ left: insideTrack(left, kind), width: `${width}%` }}
    >
      {retried ? (
        <span className="timeline-retries" style={{ width: `${startedAt === undefined ? 100 : waited}%` }} />
      ) : null}
    </span>
  );
}

/** Where a bar begins: one that is as short as it may be ends with the track at the latest. A signal is a dot around its time. */
function insideTrack(percent: number, kind: GroupKind): string {
  return kind === 'signal' ? `clamp(0px, ${percent}% - 5px, 100% - 10px)` : `min(${percent}%, 100% - 6px)`;
}
