import { StateMark } from '../../ui/state-mark';
import type { DeliveryAttempt } from '../webhook-api';

export function ResultBadge({ attempt: { delivered } }: { readonly attempt: Pick<DeliveryAttempt, 'delivered'> }) {
  return <StateMark color={delivered ? 'green' : 'red'}>{delivered ? 'Delivered' : 'Failed'}</StateMark>;
}
