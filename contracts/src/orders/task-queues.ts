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

/**
 * Milliseconds after which a worker that has not asked its queue for work is gone. It asks at least once a minute, and
 * Temporal still lists workers for minutes after they ended.
 * @public
 */
export const workerGoneAfterMs = 75_000;

/** One of {@link taskQueues}. @public */
export type TaskQueue = (typeof taskQueues)[keyof typeof taskQueues];
