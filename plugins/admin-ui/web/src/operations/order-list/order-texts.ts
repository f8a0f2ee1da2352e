import type { OrderGroup, OrderRowStep } from '@gantry/contracts';

/** Labels of the tabs of the list; `all` is the first one. */
export const groupLabels: Readonly<Record<OrderGroup | 'all', string>> = {
  all: 'All',
  attention: 'Needs attention',
  'awaiting-payment': 'Awaiting payment',
  'to-dispatch': 'To dispatch',
  'in-transit': 'In transit',
  delivered: 'Delivered',
  refunded: 'Refunded',
  cancelled: 'Cancelled',
};

/** Labels of the steps of orders. */
export const stepLabels: Readonly<Record<OrderRowStep, string>> = {
  START: 'Sending confirmation',
  ORDER_PLACED: 'Waiting for payment',
  NOT_PAID: 'Not paid',
  PAID: 'Paid',
  WAITING_FOR_CHILD: 'Waiting for dispatch',
  IN_TRANSIT: 'In transit',
  COMPENSATING: 'Refunding',
  COMPLETED: 'Completed',
};

const anyStep: readonly OrderRowStep[] = [
  'START',
  'ORDER_PLACED',
  'PAID',
  'WAITING_FOR_CHILD',
  'IN_TRANSIT',
  'COMPENSATING',
];

/** The steps that the orders of a group can have; empty where all have the same. */
export const stepsOfGroup: Readonly<Record<OrderGroup | 'all', readonly OrderRowStep[]>> = {
  all: [...anyStep, 'NOT_PAID', 'COMPLETED'],
  attention: anyStep,
  'awaiting-payment': ['START', 'ORDER_PLACED'],
  'to-dispatch': ['PAID', 'WAITING_FOR_CHILD'],
  'in-transit': [],
  delivered: [],
  refunded: ['COMPENSATING', 'COMPLETED'],
  cancelled: ['START', 'ORDER_PLACED', 'NOT_PAID'],
};
