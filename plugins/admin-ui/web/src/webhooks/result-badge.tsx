import { Badge } from '@mantine/core';
import type { DeliveryAttempt } from './webhook-api';

export function ResultBadge({ attempt: { delivered } }: { readonly attempt: Pick<DeliveryAttempt, 'delivered'> }) {
  return (
    <Badge color={delivered ? 'green' : 'red'} variant="light" tt="none">
      {delivered ? 'Delivered' : 'Failed'}
    </Badge>
  );
}
