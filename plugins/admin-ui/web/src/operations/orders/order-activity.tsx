import { Text } from '@mantine/core';
import { initialsOf } from '../../ui/text/initials';
import { Moment } from '../../ui/time/moment';
import { Surface } from '../../ui/surface';
import { DotIcon } from '../ui/operation-icons';
import { loginsIn } from '../ui/logins';
import { operatorActions } from './operator-actions';
import type { OrderSources } from './order-steps';

/** Actions of operators to an order, the newest first. */
export function OrderActivity({ sources }: { readonly sources: OrderSources }) {
  const { redelivery } = sources;
  const actions = operatorActions([
    sources.orderEvents,
    ...[sources.consignmentEvents, redelivery?.orderEvents, redelivery?.consignmentEvents].map(
      (events) => events ?? [],
    ),
  ]);
  return (
    <Surface title="Actions of operators">
      {actions.length === 0 ? (
        <Text size="sm" c="dimmed">
          No actions yet
        </Text>
      ) : (
        <ul className="value-list order-activity">
          {actions.map(({ key, what, who, why, time }) => (
            <li key={key}>
              <span className="avatar" aria-hidden="true">
                {who === undefined ? <DotIcon size={14} /> : initialsOf(loginsIn(who))}
              </span>
              <span className="long-text">
                <b>{what}</b>
                {who === undefined ? null : (
                  <>
                    {' by '}
                    <span title={who}>{loginsIn(who)}</span>
                  </>
                )}
                {why === undefined ? '' : `: ${why}`}
              </span>
              <Moment value={time} />
            </li>
          ))}
        </ul>
      )}
    </Surface>
  );
}
