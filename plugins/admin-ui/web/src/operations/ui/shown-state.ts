import type { ActivityState, WorkflowStatus } from '@gantry/contracts';

/** A state that something in a workflow can be in. */
export type ShownState = WorkflowStatus | ActivityState | 'waiting' | 'fired' | 'received' | 'terminated' | 'left';
