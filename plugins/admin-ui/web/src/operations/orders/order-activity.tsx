import { Text } from '@mantine/core';
import { Moment } from '../../ui/moment';
import { Section } from '../workflow/workflow-overview';
import { operatorActions } from './operator-actions';
import type { OrderSources } from './order-steps';

/** Who did what to an order, the newest first. */
export function OrderActivity({ sources }: { readonly sources: OrderSources }) {
  const { redelivery } = sources;
  const actions = operatorActions([
    sources.orderEvents,
    ...[sources.consignmentEvents, redelivery?.orderEvents, redelivery?.consignmentEvents].map(
      (events) => events ?? [],
    ),
  ]);
  return (
    <Section title="Who did what">
      {actions.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing was reported or requested yet
        </Text>
      ) : (
        <ul className="value-list order-records">
          {actions.map(({ key, what, who, why, time }) => (
            <li key={key}>
              <Text size="sm" className="long-text">
                {what}
                {who === undefined ? '' : ` by ${who}`}
                {why === undefined ? '' : `: ${why}`}
              </Text>
              <Text size="xs" c="dimmed">
                <Moment value={time} />
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
