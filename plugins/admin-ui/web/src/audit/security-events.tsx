import { ClockTime } from '../ui/time/clock-time';
import { DataTable } from '../ui/data-table';
import { dayText } from '../ui/text/group-by-day';
import { StateMark } from '../ui/state-mark';
import { mayReader } from '../api/platform/initial-data';
import { useQuery } from '@tanstack/react-query';
import { AuditActor } from './audit-actor';
import { userNamesQuery, type SecurityEvent } from './audit-api';
import { securityActionText } from './security-action-text';

export interface SecurityEventsProps {
  readonly events: readonly SecurityEvent[];
  readonly isStale: boolean;
}

/** Events that concern the security of the platform: sign-ins, refusals, users, roles and plugins. */
export function SecurityEvents({ events, isStale }: SecurityEventsProps) {
  const subjectText = useSubjectTexts(events);
  return (
    <DataTable
      label="Security events"
      className="audit security card-rows"
      isStale={isStale}
      rows={events}
      groupOf={({ at }) => dayText(at)}
      rowKey={({ id }) => id}
      columns={[
        { title: 'Time', className: 'audit-time', cell: ({ at }) => <ClockTime at={at} /> },
        { title: 'Actor', hint: ({ actor }) => actor, cell: (event) => <AuditActor {...event} /> },
        {
          title: 'Action',
          className: 'audit-action',
          hint: ({ action }) => action,
          cell: ({ action, count }) => (
            <StateMark color={action.endsWith('refused') ? 'red' : 'gray'}>
              {securityActionText(action)}
              {count > 1 ? `, ${count.toLocaleString()} times` : ''}
            </StateMark>
          ),
        },
        {
          title: 'Subject',
          className: 'audit-item',
          hint: ({ subject }) => subject,
          cell: ({ subject }) => <bdi>{subjectText(subject)}</bdi>,
        },
        { title: 'Details', className: 'audit-detail', hint: detailText, cell: detailText },
        { title: 'Address', className: 'audit-address', align: 'end', cell: ({ address }) => address },
      ]}
    />
  );
}

/** Subject of an event for a reader: a user by name. */
function useSubjectTexts(events: readonly SecurityEvent[]): (subject: string) => string {
  const { data: users = [] } = useQuery({ ...userNamesQuery, enabled: mayReader('users.manage') });
  const names = new Map([
    ...users.map(({ id, displayName, login }) => [`user:${id}`, displayName || login] as const),
    ...events.flatMap(({ actor, actorName }) => (actorName === undefined ? [] : [[actor, actorName] as const])),
  ]);
  return (subject) => names.get(subject) ?? subject;
}

/** `roles: editor, reader; reason: …` */
export function detailText({ detail }: Pick<SecurityEvent, 'detail'>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join('; ');
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
