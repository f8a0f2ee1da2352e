import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { operationWorkflowId, type OrderOperation, type OrderStatus } from '@gantry/contracts';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog';
import { InfoIcon, WarningIcon } from '../../ui/icons';
import { ErrorState } from '../../ui/states';
import { useAction } from '../actions/use-action';
import { decideOrder, type StoredOrder } from '../api/orders';
import { WorkflowLink } from '../workflows/workflow-table';

interface OperationTexts {
  readonly button: string;
  readonly title: string;
  readonly explained: string;
  readonly confirm: string;
  readonly done: string;
  /** While it runs. */
  readonly running: string;
}

const texts: Readonly<Record<OrderOperation, OperationTexts>> = {
  refund: {
    button: 'Refund …',
    title: 'Refund the order?',
    explained:
      'The payment is refunded and the customer is told. Nothing is delivered any more: make sure that no parcel is on its way.',
    confirm: 'Refund the order',
    done: 'The refund was started',
    running: 'The payment is being refunded.',
  },
  redelivery: {
    button: 'Deliver again …',
    title: 'Deliver the order again?',
    explained: 'A new consignment is started. When it is not delivered, the payment is refunded.',
    confirm: 'Deliver the order again',
    done: 'The redelivery was started',
    running: 'A new consignment is being delivered.',
  },
};

const runningOperation: Partial<Readonly<Record<OrderStatus, OrderOperation>>> = {
  REFUNDING: 'refund',
  REDELIVERING: 'redelivery',
};

/** What a person has to decide about an order that was paid, and neither delivered nor refunded; or what was decided. */
export function OrderDecision({ order }: { readonly order: StoredOrder }) {
  const { orderId, status, reason } = order;
  const running = status === null ? undefined : runningOperation[status];
  if (running !== undefined) {
    return (
      <Alert color="blue" variant="light" icon={<InfoIcon />} title={texts[running].running} role="status" mb="lg">
        <WorkflowLink workflowId={operationWorkflowId(running, orderId)} />
      </Alert>
    );
  }
  if (status !== 'NEEDS_DECISION') return null;
  return (
    <Alert color="red" variant="light" icon={<WarningIcon />} title="The order needs a decision" mb="lg">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="long-text">
          It was paid, and neither delivered nor refunded. {reason}
        </Text>
        <Group gap="xs">
          <Decide orderId={orderId} operation="refund" />
          <Decide orderId={orderId} operation="redelivery" />
        </Group>
      </Stack>
    </Alert>
  );
}

function Decide({ orderId, operation }: { readonly orderId: string; readonly operation: OrderOperation }) {
  const { button, title, explained, confirm, done } = texts[operation];
  const [opened, setOpened] = useState(false);
  const call = useAction<void>({
    act: () => decideOrder(orderId, operation),
    done,
    onDone: () => setOpened(false),
  });
  const close = (): void => {
    call.reset();
    setOpened(false);
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {button}
      </Button>
      <Dialog opened={opened} onClose={close} title={title}>
        <Stack gap="sm">
          <Text size="sm" className="long-text">
            <b>{orderId}</b>. {explained}
          </Text>
          {call.error === null ? null : <ErrorState error={call.error} title="It was not done" once />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Back
            </Button>
            <Button loading={call.isPending} onClick={() => call.mutate()} data-autofocus>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
