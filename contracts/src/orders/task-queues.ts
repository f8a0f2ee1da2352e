/**
 * The task queue of every order service (order specification, section 2). Each service has one worker, on its own queue.
 * @public
 */
export const taskQueues = {
  order: 'order-tq',
  email: 'email-tq',
  payment: 'payment-tq',
  consignment: 'consignment-tq',
} as const;

/** @public */
export type TaskQueue = (typeof taskQueues)[keyof typeof taskQueues];
