import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reportOrder, type OrderReport } from '../api/orders';
import { operationsKey } from '../api/queries';

/** Messages for accepted reports. */
export const reported: Readonly<Record<OrderReport, string>> = {
  pay: 'The payment was recorded',
  dispatch: 'The parcel was dispatched',
  delivered: 'The delivery was recorded',
  undelivered: 'The failed delivery was recorded',
  confirm: 'The receipt was confirmed',
};

/** Messages for refused reports. */
export const refusedReports: Readonly<Record<OrderReport, string>> = {
  pay: 'The payment was not recorded',
  dispatch: 'The dispatch was not recorded',
  delivered: 'The delivery report was not recorded',
  undelivered: 'The delivery report was not recorded',
  confirm: 'The receipt was not confirmed',
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
