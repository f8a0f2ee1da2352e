import type { OrderStatus, WorkflowStatus } from '@gantry/contracts';
import type { ActivityView } from '../api/workflows';

/** A state that an order, or something in a workflow, can be in. */
export type ShownState =
  | WorkflowStatus
  | ActivityView['state']
  | OrderStatus
  | 'waiting'
  | 'fired'
  | 'received'
  | 'terminated'
  | 'left';
