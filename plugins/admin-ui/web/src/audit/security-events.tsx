import { actorText } from '../ui/change-text';
import { Timestamp } from '../ui/timestamp';
import { mayReader } from '../api/initial-data';
import { useQuery } from '@tanstack/react-query';
import { userNamesQuery, type SecurityEvent } from './audit-api';
import { securityActionText } from './security-action-text';

export interface SecurityEventsProps {
  readonly events: readonly SecurityEvent[];
  readonly isStale: boolean;
}

/** What concerns the security of the platform: sign-ins, refusals, users, roles and plugins. */
export function SecurityEvents({ events, isStale }: SecurityEventsProps) {
  const subjectText = useSubjectTexts(events);
  return (
    <div
      className="items audit"
      data-stale={isStale || undefined}
      role="region"
      aria-label="Security events"
      tabIndex={0}
    >
      <table aria-busy={isStale}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Actor</th>
            <th scope="col">Action</th>
            <th scope="col">Subject</th>
            <th scope="col">Address</th>
            <th scope="col" className="number">
              Count
            </th>
            <th scope="col">Details</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <Row key={event.id} event={event} subjectText={subjectText} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What an event is about, for a reader: a user by their name. */
function useSubjectTexts(events: readonly SecurityEvent[]): (subject: string) => string {
  const { data: users = [] } = useQuery({ ...userNamesQuery, enabled: mayReader('users.manage') });
  const names = new Map([
    ...users.map(({ id, displayName, login }) => [`user:${id}`, displayName || login] as const),
    ...events.flatMap(({ actor, actorName }) => (actorName === undefined ? [] : [[actor, actorName] as const])),
  ]);
  return (subject) => names.get(subject) ?? subject;
}

interface RowProps {
  readonly event: SecurityEvent;
  subjectText(subject: string): string;
}

function Row({ event, subjectText }: RowProps) {
  const { at, actor, action, subject, address, count } = event;
  const detail = detailText(event);
  return (
    <tr>
      <td>
        <Timestamp value={at} />
      </td>
      <td title={actor}>
        <bdi>{actorText(event)}</bdi>
      </td>
      <td title={action}>{securityActionText(action)}</td>
      <td title={subject}>
        <bdi>{subjectText(subject)}</bdi>
      </td>
      <td>{address}</td>
      <td className="number">{count.toLocaleString()}</td>
      <td title={detail}>{detail}</td>
    </tr>
  );
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
