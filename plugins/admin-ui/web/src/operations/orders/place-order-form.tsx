import { Button, Group, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { parseOrderId } from '@gantry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type SyntheticEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '../../api/api-error';
import { Dialog } from '../../ui/dialog';
import { orderAddress } from '../api/addresses';
import { placeOrder } from '../api/orders';
import { operationsKey } from '../api/queries';
import { OperationsProblem } from '../ui/operations-problem';

export interface PlaceOrderDialogProps {
  readonly opened: boolean;
  onClose(): void;
}

/** Places an order under an id and opens it. What is typed outlives the dialog until the order was placed. */
export function PlaceOrderDialog({ opened, onClose }: PlaceOrderDialogProps) {
  const [orderId, setOrderId] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const place = usePlaceOrder();
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const parsed = parseOrderId(orderId.trim());
    setProblem(parsed.ok ? undefined : 'Enter 1 to 64 letters, digits, dots, underscores or hyphens; not only dots.');
    if (!parsed.ok) field.current?.focus();
    else if (!place.isPending) {
      place.mutate(parsed.orderId, { onSuccess: () => void navigate(orderAddress(parsed.orderId)) });
    }
  };
  const close = (): void => {
    place.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title="Place an order">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput
            ref={field}
            label="Order id"
            description="Letters, digits, dots, underscores and hyphens, for example 1001."
            maxLength={64}
            data-autofocus
            value={orderId}
            error={refusedField(place.error) ?? problem}
            onChange={(event) => {
              setOrderId(event.currentTarget.value);
              setProblem(undefined);
            }}
          />
          {refusedField(place.error) === undefined ? (
            <OperationsProblem error={place.error} title="The order was not placed" once />
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={place.isPending}>
              Place order
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Starts the workflow of an order and says whether there was one already. */
export function usePlaceOrder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: placeOrder,
    networkMode: 'always',
    onSuccess: ({ orderId, duplicate }) =>
      notifications.show(
        duplicate
          ? { message: `Order ${orderId} had been placed before`, color: 'blue' }
          : { message: `Order ${orderId} is placed`, color: 'green' },
      ),
    onSettled: () => client.invalidateQueries({ queryKey: operationsKey }),
  });
}

function refusedField(error: unknown): string | undefined {
  return error instanceof ApiError ? error.details.find(({ path }) => path === 'orderId')?.message : undefined;
}
