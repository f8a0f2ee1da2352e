import type { ActivityState, OrderStatus, WorkflowStatus } from '@gantry/contracts';

/** A state that an order, or something in a workflow, can be in. */
export type ShownState =
  | WorkflowStatus
  | ActivityState
  | OrderStatus
  | 'waiting'
  | 'fired'
  | 'received'
  | 'terminated'
  | 'left';
