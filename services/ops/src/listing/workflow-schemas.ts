import {
  consignmentResults,
  orderSteps,
  resetWarningCodes,
  workflowStatuses,
  type WorkflowStatus,
} from '@gantry/contracts';
import type { ValueOf } from '@gantry/plugin-api';
import { z } from 'zod';

const instant = z.string().meta({ format: 'date-time' });

/** A workflow in the list. */
export const workflowSummary = z
  .object({
    workflowId: z.string(),
    runId: z.string().describe('The newest run; a reset adds one.'),
    type: z.string(),
    status: z.enum(workflowStatuses),
    taskQueue: z.string(),
    startTime: instant,
    closeTime: instant.exactOptional(),
    parentWorkflowId: z.string().exactOptional(),
  })
  .meta({ id: 'WorkflowSummary', description: 'A workflow, by its newest run.' });

export type WorkflowSummary = ValueOf<typeof workflowSummary>;

const activityView = z
  .object({
    type: z.string(),
    state: z.enum(['scheduled', 'started', 'completed', 'failed', 'timed_out', 'canceled']),
    taskQueue: z.string(),
    attempt: z.int().describe('Number of the current or last attempt.'),
    scheduledTime: instant,
    closeTime: instant.exactOptional(),
    lastFailure: z.string().exactOptional(),
    nextAttemptTime: instant.exactOptional().describe('Time of the next attempt after a failure.'),
  })
  .meta({ id: 'ActivityView', description: 'An activity of a workflow.' });

export type ActivityView = ValueOf<typeof activityView>;

const pendingChild = z
  .object({ workflowId: z.string(), runId: z.string(), type: z.string() })
  .meta({ id: 'PendingChild', description: 'A child workflow that has not ended.' });

export type PendingChild = ValueOf<typeof pendingChild>;

const orderState = z
  .object({
    orderId: z.string(),
    step: z.enum(orderSteps),
    paymentReceived: z.boolean(),
    consignment: z.enum(consignmentResults).exactOptional().describe('Set when the consignment has ended.'),
  })
  .meta({ id: 'OrderState', description: 'The state of an order, as its workflow reports it.' });

const consignmentState = z
  .object({
    orderId: z.string(),
    step: z.enum(['WAITING_FOR_DISPATCH', 'SLEEPING', 'CHECKING', 'WAITING_FOR_CONFIRMATION', 'FINISHED']),
    shipmentDispatched: z.boolean(),
    customerConfirmed: z.boolean(),
    result: z.enum(consignmentResults).exactOptional().describe('Set when the consignment has finished.'),
  })
  .meta({ id: 'ConsignmentState', description: 'The state of a consignment, as its workflow reports it.' });

/** The detail of a workflow (order specification, section 2), for its newest run unless another is named. */
export const workflowDetail = workflowSummary
  .extend({
    activities: z.array(activityView),
    pendingChildren: z.array(pendingChild),
    result: z
      .array(z.string())
      .describe(
        'Results of the child workflows, encoded as JSON. For a child workflow, the last one is its own result.',
      ),
    historyLength: z.int().describe('Events of the run.'),
    readEvents: z
      .int()
      .exactOptional()
      .describe(
        'Number of events that were read, if the run has more. `activities` and `result` then cover these events and open activities.',
      ),
    state: z
      .union([orderState, consignmentState])
      .exactOptional()
      .describe(
        'The state that a workflow of the order services reports; absent when no worker answers for it within a second.',
      ),
    failure: z.string().exactOptional().describe('Reason of the failure.'),
    temporalPage: z
      .string()
      .exactOptional()
      .describe("The address of the run in Temporal's own pages, if the platform knows its address."),
    problems: z.array(z.string()).describe('Problems that block the workflow; empty if there are none.'),
  })
  .meta({ id: 'WorkflowDetail', description: 'A run of a workflow with its activities, children and problems.' });

export type WorkflowDetail = ValueOf<typeof workflowDetail>;

const runCount = z.int().exactOptional();
type RunCounts = Readonly<Record<WorkflowStatus, typeof runCount>>;

/** A summary of all workflows, and where to find more. */
export const operationsOverview = z
  .object({
    namespace: z.string(),
    runs: z
      .object(Object.fromEntries(workflowStatuses.map((status) => [status, runCount])) as RunCounts)
      .describe('Runs by state, also those that a reset replaced; a state without runs is left out.'),
    problems: z
      .array(z.string())
      .describe('Activities that keep failing, by type, and task queues that no worker polls: one sentence each.'),
    temporalPages: z
      .string()
      .exactOptional()
      .describe("Temporal's own pages, if the platform knows it: an http or https URL without a trailing slash."),
  })
  .meta({ id: 'OperationsOverview', description: 'A summary of all workflows.' });

export type OperationsOverview = ValueOf<typeof operationsOverview>;

/** A page of the events of a run, as Temporal's own tools write them. */
export const workflowHistory = z
  .object({
    workflowId: z.string(),
    runId: z.string(),
    events: z.array(
      z
        .looseObject({ eventId: z.string(), eventTime: instant, eventType: z.string() })
        .meta({ id: 'HistoryEvent', description: "An event as Temporal's own tools show it in JSON." }),
    ),
  })
  .meta({ id: 'WorkflowHistory', description: 'Events of a run.' });

/** The request to a workflow. */
export const controlledWorkflow = z
  .object({ workflowId: z.string(), runId: z.string() })
  .meta({ id: 'ControlledWorkflow', description: 'The run that is acted on.' });

export type ControlledWorkflow = ValueOf<typeof controlledWorkflow>;

const resetWarning = z.object({ code: z.enum(resetWarningCodes), message: z.string() }).meta({
  id: 'ResetWarning',
  description:
    'A risk of the reset. `PAID_BACK`: the payment was refunded, and the new run may deliver anyway. The reset is made only if `acknowledge` names the code.',
});

export type ResetWarning = ValueOf<typeof resetWarning>;

/** The effect of a reset, or of its dry run. */
export const resetOutcome = z
  .object({
    workflowId: z.string(),
    resetRunId: z.string().describe('The run that was reset.'),
    eventId: z.int(),
    repeats: z
      .array(z.string())
      .describe(
        'Activities and child workflows that began after the point. They are repeated if the workflow reaches them again.',
      ),
    warnings: z.array(resetWarning).describe('Empty when nothing has to be acknowledged.'),
    runId: z.string().exactOptional().describe('The new run; absent for a dry run.'),
  })
  .meta({
    id: 'ResetOutcome',
    description: 'The effect of the reset; of a dry run, the effect that the reset would have.',
  });

export type ResetOutcome = ValueOf<typeof resetOutcome>;
