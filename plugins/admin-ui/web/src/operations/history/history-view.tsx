import { Code, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { toJson } from '../../api/json';
import { LeftIcon, RightIcon } from '../../ui/icons';
import { PageStep } from '../../ui/page/page-steps';
import { attributesOf, failureText, payloadText, typeOf, type HistoryEvent } from '../api/history-event';
import { Moment } from '../../ui/time/moment';
import { sentenceCase } from '../ui/sentence-case';
import { eventsPerPage } from './event-pages';

/** Every event of a run as Temporal keeps it, page by page. */
export function HistoryView({ events }: { readonly events: readonly HistoryEvent[] }) {
  const [parameters] = useSearchParams();
  const pages = Math.max(1, Math.ceil(events.length / eventsPerPage));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(parameters.get('page'))) || 1));
  const shown = events.slice((page - 1) * eventsPerPage, page * eventsPerPage);
  const { hash } = useLocation();
  return (
    <>
      <Pages page={page} pages={pages} count={events.length} />
      <ol className="events" aria-label="Events">
        {shown.map((event) => (
          <EventRow key={event.eventId} event={event} wanted={hash === `#event-${event.eventId}`} />
        ))}
      </ol>
      {pages > 1 ? <Pages page={page} pages={pages} count={events.length} /> : null}
    </>
  );
}

function Pages({ page, pages, count }: { readonly page: number; readonly pages: number; readonly count: number }) {
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const open = (next: number): void => {
    const changed = new URLSearchParams(parameters);
    changed.set('page', String(next));
    void navigate({ search: `?${changed}` });
  };
  return (
    <Group justify="space-between" my="xs">
      <Text size="sm" c="dimmed">
        {count} events{pages > 1 ? `, page ${page} of ${pages}` : ''}
      </Text>
      {pages > 1 ? (
        <Group gap="xs" role="group" aria-label="Pages">
          <PageStep label="Earlier events" open={page === 1 ? undefined : () => open(page - 1)}>
            <LeftIcon size={16} />
          </PageStep>
          <PageStep label="Later events" open={page === pages ? undefined : () => open(page + 1)}>
            <RightIcon size={16} />
          </PageStep>
        </Group>
      ) : null}
    </Group>
  );
}

function EventRow({ event, wanted }: { readonly event: HistoryEvent; readonly wanted: boolean }) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!wanted) return;
    row.current?.scrollIntoView({ block: 'center' });
    row.current?.querySelector('summary')?.focus({ preventScroll: true });
  }, [wanted]);
  return (
    <li ref={row} id={`event-${event.eventId}`} data-wanted={wanted || undefined}>
      <details open={wanted}>
        <summary>
          <span className="event-id">{event.eventId}</span>
          <Moment value={event.eventTime} />
          <span className="event-type">{sentenceCase(typeOf(event))}</span>
          <span className="event-what">{summaryOf(event)}</span>
        </summary>
        <Code block className="event-json" tabIndex={0} role="region" aria-label={`Event ${event.eventId} as JSON`}>
          {JSON.stringify(JSON.parse(toJson(event)), undefined, 2)}
        </Code>
      </details>
    </li>
  );
}

/** Summary of an event in a line. */
function summaryOf(event: HistoryEvent): string {
  const attributes = attributesOf(event);
  const parts = [
    attributes.activityType?.name,
    attributes.workflowType?.name,
    attributes.signalName,
    attributes.startToFireTimeout !== undefined && attributes.timerId !== undefined
      ? attributes.startToFireTimeout
      : undefined,
    attributes.workflowId ?? attributes.workflowExecution?.workflowId,
    failureText(attributes.failure),
    attributes.reason ?? unquoted(attributes.header?.fields?.['reason']),
    // An operation on an order keeps why it was asked for, and by whom.
    unquoted(attributes.memo?.fields?.['reason']),
    unquoted(attributes.memo?.fields?.['requestedBy']),
  ];
  return parts
    .filter((part) => part !== undefined && part !== '')
    .join(' · ')
    .slice(0, 300);
}

function unquoted(payload: { readonly data?: string } | undefined): string | undefined {
  return payloadText(payload)?.replaceAll(/^"|"$/g, '');
}
