import { actorText } from '../ui/change-text';
import { Timestamp } from '../ui/timestamp';
import type { SecurityEvent } from './audit-api';

export interface SecurityEventsProps {
  readonly events: readonly SecurityEvent[];
  readonly isStale: boolean;
}

/** What concerns the security of the platform: sign-ins, refusals, users, roles and plugins. */
export function SecurityEvents({ events, isStale }: SecurityEventsProps) {
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
            <Row key={event.id} event={event} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ event }: { readonly event: SecurityEvent }) {
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
      <td>{action}</td>
      <td title={subject}>
        <bdi>{subject}</bdi>
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
