import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reportOrder, type OrderReport } from '../api/orders';
import { operationsKey } from '../api/queries';

const reported: Readonly<Record<OrderReport, string>> = {
  pay: 'The payment was handed to the order',
  dispatch: 'The parcel has left',
  delivered: 'Noted: the parcel is delivered',
  undelivered: 'Noted: the parcel is not delivered',
  confirm: 'The receipt is confirmed',
};

/** What is said when a report was refused. */
export const refusedReports: Readonly<Record<OrderReport, string>> = {
  pay: 'The payment was not taken',
  dispatch: 'The dispatch was not taken',
  delivered: 'The report of the delivery was not taken',
  undelivered: 'The report of the delivery was not taken',
  confirm: 'The confirmation was not taken',
};

/** Reports to an order what happened outside; whatever comes of it, the pages are read again. */
export function useReport(orderId: string, onSettled?: (report: OrderReport) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (what: OrderReport) => reportOrder(orderId, what),
    networkMode: 'always',
    onSuccess: (_nothing, what) => notifications.show({ message: reported[what], color: 'green' }),
    onSettled: (_nothing, _error, what) => {
      onSettled?.(what);
      return client.invalidateQueries({ queryKey: operationsKey });
    },
  });
}
