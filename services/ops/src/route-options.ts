import { resetWarningCodes, workflowStatuses } from '@gantry/contracts';
import type { RouteOptions } from '@gantry/plugin-api';

export const overview: RouteOptions = {
  summary: 'Counts the runs of workflows by state, and tells where the pages of Temporal are',
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
      { name: 'after', in: 'query', schema: { type: 'string' }, description: '`meta.nextCursor` of the page before.' },
    ],
  },
};

const run = {
  name: 'runId',
  in: 'query',
  schema: { type: 'string' },
  description: 'A run before the newest, as a reset leaves it behind.',
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
        description: '`meta.nextCursor` of the page before. It keeps the run.',
      },
    ],
  },
};

export const cancel: RouteOptions = {
  summary: 'Asks a workflow to end in its own way',
  openapi: { requestBody: body({}), responses: { 202: { description: 'The workflow has been asked to end' } } },
};

export const terminate: RouteOptions = {
  summary: 'Ends a workflow at once',
  openapi: { requestBody: body({}), responses: { 202: { description: 'The workflow has been ended' } } },
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
          description: 'What the handler of the signal takes. The signals of the order services have no arguments.',
        },
      },
      ['signal'],
    ),
    responses: { 202: { description: 'The signal was delivered' } },
  },
};

export const reset: RouteOptions = {
  summary: 'Goes back to a point in the history of a workflow that has ended, in a new run',
  openapi: {
    requestBody: body(
      {
        to: {
          oneOf: [
            { type: 'string', enum: ['FIRST_TASK', 'LAST_TASK', 'COMPENSATION'] },
            { type: 'integer', minimum: 1, description: 'The id of an event that ends a workflow task.' },
          ],
        },
        runId: { type: 'string', description: 'Refuse unless this is the newest run.' },
        dryRun: {
          type: 'boolean',
          default: false,
          description: 'Only report what would be repeated, and the warnings.',
        },
        acknowledge: {
          type: 'array',
          maxItems: resetWarningCodes.length,
          items: { type: 'string', enum: resetWarningCodes },
          default: [],
          description: 'Codes of the warnings that a dry run reports; without them the reset is refused with 409.',
        },
      },
      ['to'],
    ),
    responses: { 200: { description: 'The new run, and what it repeats' } },
  },
};

/** The body of a request that changes something; who asks and why may always be told. */
function body(properties: object, required: readonly string[] = []): Readonly<Record<string, unknown>> {
  const asked = {
    reason: { type: 'string', maxLength: 1000, example: 'asked for by the customer' },
    requestedBy: { type: 'string', maxLength: 100, example: 'operator' },
  };
  const schema = { type: 'object', additionalProperties: false, required, properties: { ...properties, ...asked } };
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}
