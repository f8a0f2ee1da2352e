import { resetWarningCodes, workflowStatuses } from '@gantry/contracts';
import type { RouteOptions } from '@gantry/plugin-api';

export const overview: RouteOptions = {
  summary: 'Counts the runs of workflows by state, and returns the address of the Temporal Web UI',
};

export const list: RouteOptions = {
  query: ['status', 'type', 'query', 'limit', 'after'],
  summary: 'Lists workflows, newest first',
  openapi: {
    parameters: [
      { name: 'status', in: 'query', schema: { type: 'string', enum: workflowStatuses } },
      { name: 'type', in: 'query', schema: { type: 'string' } },
      {
        name: 'query',
        in: 'query',
        schema: { type: 'string' },
        description: 'A condition in the query language of Temporal.',
      },
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000, default: 50 } },
      {
        name: 'after',
        in: 'query',
        schema: { type: 'string' },
        description: '`meta.nextCursor` of the previous page.',
      },
    ],
  },
};

const run = {
  name: 'runId',
  in: 'query',
  schema: { type: 'string' },
  description: 'Id of an earlier run, such as the run before a reset.',
} as const;

export const detail: RouteOptions = {
  query: ['runId'],
  summary: 'Shows a workflow with its activities, children and problems',
  openapi: { parameters: [run] },
};

export const history: RouteOptions = {
  query: ['runId', 'limit', 'after'],
  summary: 'Shows the events of a workflow, page by page',
  openapi: {
    parameters: [
      run,
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000, default: 1000 } },
      {
        name: 'after',
        in: 'query',
        schema: { type: 'string' },
        description: '`meta.nextCursor` of the previous page. It includes the run.',
      },
    ],
  },
};

export const cancel: RouteOptions = {
  summary: 'Cancels a workflow, which then runs its compensation',
  openapi: { requestBody: body({}), responses: { 202: { description: 'The cancellation is requested' } } },
};

export const terminate: RouteOptions = {
  summary: 'Terminates a workflow at once, without compensation',
  openapi: { requestBody: body({}), responses: { 202: { description: 'The workflow is terminated' } } },
};

export const signal: RouteOptions = {
  summary: 'Sends a signal to a workflow',
  openapi: {
    requestBody: body(
      {
        signal: { type: 'string', maxLength: 200, example: 'paymentReceived' },
        args: {
          type: 'array',
          maxItems: 20,
          items: {},
          default: [],
          description: 'Arguments of the signal handler. The signals of the order services have no arguments.',
        },
      },
      ['signal'],
    ),
    responses: { 202: { description: 'The signal was delivered' } },
  },
};

export const reset: RouteOptions = {
  summary: 'Resets a workflow that has ended to a point in its history, in a new run',
  openapi: {
    requestBody: body(
      {
        to: {
          oneOf: [
            { type: 'string', enum: ['FIRST_TASK', 'LAST_TASK', 'COMPENSATION'] },
            { type: 'integer', minimum: 1, description: 'The id of an event that ends a workflow task.' },
          ],
        },
        runId: { type: 'string', description: 'Rejects the reset unless this is the newest run.' },
        dryRun: {
          type: 'boolean',
          default: false,
          description: 'Reports what would be repeated and the warnings; changes nothing.',
        },
        acknowledge: {
          type: 'array',
          maxItems: resetWarningCodes.length,
          items: { type: 'string', enum: resetWarningCodes },
          default: [],
          description: 'Codes of the warnings that a dry run reports; without them the reset is rejected with 409.',
        },
      },
      ['to'],
    ),
    responses: { 200: { description: 'The new run, and the steps that it repeats' } },
  },
};

/** The body of a request that changes something; the requester and the reason are optional. */
function body(properties: object, required: readonly string[] = []): Readonly<Record<string, unknown>> {
  const asked = {
    reason: { type: 'string', maxLength: 1000, example: 'requested by the customer' },
    requestedBy: { type: 'string', maxLength: 100, example: 'operator' },
  };
  const schema = { type: 'object', additionalProperties: false, required, properties: { ...properties, ...asked } };
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}
