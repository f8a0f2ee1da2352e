import { timeLimits } from '@gantry/contracts';
import type { ListedOrder } from '../api/orders';
import { durationText } from '../../ui/text/duration-text';
import { ExactTime, parseTime } from '../../ui/time/exact-time';
import { RelativeTime } from '../../ui/time/relative-time';

export interface OrderWaitProps {
  readonly order: ListedOrder;
  readonly now: number;
}

/** How long an order has been in its step: against the limit where the step ends by itself, with a bar. */
export function OrderWait({ order, now }: OrderWaitProps) {
  const limit = limitOf(order);
  const time = parseTime(order.since);
  if (limit === undefined || time === undefined) return <RelativeTime value={order.since} now={now} />;
  const waited = Math.max(0, now - time.getTime());
  const share = waited / limit;
  return (
    <span className="order-wait" data-level={share >= 1 ? 'over' : share >= 0.75 ? 'soon' : undefined}>
      <ExactTime time={time}>
        {wholeSeconds(waited)} <small>of {durationText(limit)}</small>
      </ExactTime>
      <span className="order-wait-bar">
        <span style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
    </span>
  );
}

/** When the step of an order ends by itself, in milliseconds; undefined where it does not, or another time counts. */
function limitOf({ status, step }: ListedOrder): number | undefined {
  if (status === 'OPEN' && step === 'ORDER_PLACED') return timeLimits.paymentWait;
  if ((status === 'OPEN' || status === 'REDELIVERING') && step === 'WAITING_FOR_CHILD') {
    return timeLimits.consignmentRunTimeout;
  }
  return undefined;
}

function wholeSeconds(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  return seconds < 60 ? `${seconds} s` : durationText(seconds * 1_000);
}
