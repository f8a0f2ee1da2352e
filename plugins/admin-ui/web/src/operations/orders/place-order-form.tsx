import { Button, Group, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { parseOrderId } from '@gantry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type SyntheticEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '../../api/api-error';
import { PlusIcon } from '../../ui/icons';
import { orderAddress } from '../api/addresses';
import { placeOrder } from '../api/orders';
import { operationsKey } from '../api/queries';
import { OperationsProblem } from '../ui/operations-problem';

/** Places an order under an id, or opens the one that has it. */
export function PlaceOrderForm() {
  const [orderId, setOrderId] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const place = usePlaceOrder();
  const checked = (): string | undefined => {
    const parsed = parseOrderId(orderId.trim());
    const wrong = parsed.ok
      ? undefined
      : 'Type 1 to 64 letters, digits, dots, underscores or hyphens, and more than one or two dots.';
    setProblem(wrong);
    if (wrong !== undefined) field.current?.focus();
    return parsed.ok ? parsed.orderId : undefined;
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const id = checked();
    if (id !== undefined && !place.isPending) place.mutate(id, { onSuccess: () => void navigate(orderAddress(id)) });
  };
  const open = (): void => {
    const id = checked();
    if (id !== undefined) void navigate(orderAddress(id));
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Place or open an order">
      <Group gap="xs" align="flex-start">
        <TextInput
          ref={field}
          className="search-value"
          aria-label="Order id"
          placeholder="Order id, for example 1001"
          maxLength={64}
          value={orderId}
          error={refusedField(place.error) ?? problem}
          onChange={(event) => {
            setOrderId(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
        <Button type="submit" leftSection={<PlusIcon size={16} />} loading={place.isPending}>
          Place order
        </Button>
        <Button variant="default" onClick={open}>
          Open
        </Button>
      </Group>
      {refusedField(place.error) === undefined ? (
        <OperationsProblem error={place.error} title="The order was not placed" once />
      ) : null}
    </form>
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
