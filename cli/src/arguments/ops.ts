import type { Argv } from 'yargs';
import { UsageError } from '../common/usage-error';
import { command, group } from './command';
import { flag, word } from './options';

/** Written out, so that the help needs nothing of the platform. */
const statuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED', 'TERMINATED', 'TIMED_OUT', 'CONTINUED_AS_NEW'] as const;

const orderStatuses = [
  'OPEN',
  'DELIVERED',
  'REFUNDED',
  'NOT_PAID',
  'CANCELED',
  'FAILED',
  'NEEDS_DECISION',
  'REFUNDING',
  'REDELIVERING',
] as const;
const orderGroups = [
  'attention',
  'awaiting-payment',
  'to-dispatch',
  'in-transit',
  'delivered',
  'refunded',
  'cancelled',
] as const;

const run = word('id of an earlier run, such as the run before a reset');
/** Asked before what cannot be taken back. */
const yes = flag('do not ask for confirmation; required without a terminal');

const control = () => import('../commands/ops-control.js');
const decide = () => import('../commands/ops-decide.js');

const list = command({
  command: 'list',
  describe: 'List workflows, newest first',
  builder: (parser) =>
    parser
      .option('status', { choices: statuses, describe: 'only those in this state', requiresArg: true })
      .option('type', word('only those of this type, such as placeOrder'))
      .option('query', word("a condition in Temporal's query language"))
      .option('limit', word('workflows per page, 1 to 1000 (default 50)'))
      .option('after', word('cursor of the page to show, printed below the page before'))
      .option('all', flag('show all pages'))
      .example('gantry ops list --status FAILED --type placeOrder', '')
      .example(`gantry ops list --query "StartTime > '2030-01-31T00:00:00Z'"`, ''),
  isRemote: true,
  async run(context, { limit, ...args }) {
    if (limit !== undefined && !(/^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 1_000)) {
      throw new UsageError(`--limit must be a number from 1 to 1000; found "${limit}".`, help('list'));
    }
    return (await import('../commands/ops-list.js')).listWorkflows(context, {
      ...args,
      limit,
      status: once('status', args.status, 'list'),
    });
  },
});

const orders = command({
  command: 'orders',
  describe: 'List orders, latest first, also those that Temporal no longer keeps',
  builder: (parser) =>
    parser
      .option('group', { choices: orderGroups, describe: 'only those of this group', requiresArg: true })
      .option('status', { choices: orderStatuses, describe: 'only those with this status', requiresArg: true })
      .option('id', word('only those whose id begins so'))
      .option('limit', word('orders per page, 1 to 200 (default 50)'))
      .option('after', word('cursor of the page to show, printed below the page before'))
      .option('all', flag('show all pages'))
      .example('gantry ops orders --group attention', ''),
  isRemote: true,
  async run(context, { limit, ...args }) {
    if (limit !== undefined && !(/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 200)) {
      throw new UsageError(`--limit must be a number from 1 to 200; found "${limit}".`, help('orders'));
    }
    return (await import('../commands/ops-orders.js')).listOrders(context, {
      ...args,
      limit,
      group: once('group', args.group, 'orders'),
      status: once('status', args.status, 'orders'),
    });
  },
});

const show = command({
  command: 'show <workflow>',
  describe: 'Show a workflow: its activities and attempts, failures, children, and what blocks it',
  builder: (parser) => withWorkflow(parser).option('run', run),
  isRemote: true,
  run: async (context, args) =>
    (await import('../commands/ops-show.js')).showWorkflow(context, args.workflow, args.run),
});

const history = command({
  command: 'history <workflow>',
  describe: 'Show the history of a workflow from its start',
  builder: (parser) =>
    withWorkflow(parser).option('run', run).option('events', flag('show every event as Temporal stores it')),
  isRemote: true,
  run: async (context, { workflow, run: runId, events }) =>
    (await import('../commands/ops-history.js')).showHistory(context, { workflowId: workflow, runId, events }),
});

const reset = command({
  command: 'reset <workflow>',
  describe: 'Reset a workflow that has ended to a point in its history: a new run repeats what follows',
  builder: (parser) =>
    withReason(withWorkflow(parser))
      .option('to', {
        ...word(
          'FIRST_TASK, LAST_TASK, FAILED_STEP, COMPENSATION, or the id of an event, from the column POINT of gantry ops history',
        ),
        demandOption: true,
      })
      .option('dry-run', flag('show what would be repeated; change nothing'))
      .option('yes', yes)
      .example('gantry ops reset order-1001 --to COMPENSATION --reason "the bank is back" --yes', ''),
  isRemote: true,
  async run(context, { workflow, to, reason, by, dryRun, yes: isSure }) {
    const { resetWorkflow } = await import('../commands/ops-reset.js');
    return resetWorkflow(context, { workflowId: workflow, to: resetPoint(to), reason, by, dryRun, yes: isSure });
  },
});

const cancel = command({
  command: 'cancel <workflow>',
  describe: 'Cancel a workflow: it runs its compensation first, which refunds a paid order',
  builder: (parser) => withReason(withWorkflow(parser)).option('yes', yes),
  isRemote: true,
  run: async (context, { workflow, ...note }) => (await control()).cancelWorkflow(context, workflow, note),
});

const terminate = command({
  command: 'terminate <workflow>',
  describe: 'Terminate a workflow at once, without compensation: nothing is refunded',
  builder: (parser) => withReason(withWorkflow(parser)).option('yes', yes),
  isRemote: true,
  run: async (context, { workflow, ...note }) => (await control()).terminateWorkflow(context, workflow, note),
});

const signal = command({
  command: 'signal <workflow> <signal>',
  describe: 'Send a signal to a workflow',
  builder: (parser) =>
    withReason(withWorkflow(parser))
      .positional('signal', {
        type: 'string',
        demandOption: true,
        describe: 'paymentReceived for an order; shipmentDispatched or customerConfirmed for a consignment',
      })
      .option('args', word('arguments of the signal, as a JSON array; the signals above have none'))
      .example(`gantry ops signal stock-7 postpone --args '[{ "days": 2 }]'`, ''),
  isRemote: true,
  run: async (context, { workflow, signal: name, args, reason, by }) =>
    (await control()).signalWorkflow(context, workflow, { signal: name, args: signalArguments(args), reason, by }),
});

const refund = command({
  command: 'refund <order>',
  describe: 'Refund an order that needs a decision: it was paid, and neither delivered nor refunded',
  builder: (parser) => withReason(withOrder(parser)).option('yes', yes),
  isRemote: true,
  run: async (context, { order, ...note }) =>
    (await decide()).decideOrder(context, order, { ...note, operation: 'refund' }),
});

const redeliver = command({
  command: 'redeliver <order>',
  describe: 'Deliver an order that needs a decision again; it is refunded when it is not delivered',
  builder: (parser) => withReason(withOrder(parser)).option('yes', yes),
  isRemote: true,
  run: async (context, { order, ...note }) =>
    (await decide()).decideOrder(context, order, { ...note, operation: 'redelivery' }),
});

const settle = command({
  command: 'settle <order>',
  describe: 'Record that an order which needs a decision was settled elsewhere; nothing is refunded or delivered',
  builder: (parser) =>
    withReason(withOrder(parser))
      .option('outcome', {
        choices: ['REFUNDED', 'DELIVERED'] as const,
        describe: 'what was done elsewhere',
        requiresArg: true,
        demandOption: true,
      })
      .demandOption('reason')
      .option('yes', yes)
      .example('gantry ops settle 1001 --outcome REFUNDED --reason "the bank returned the money" --yes', ''),
  isRemote: true,
  run: async (context, { order, ...note }) => (await decide()).settleOrder(context, order, note),
});

const acknowledge = command({
  command: 'acknowledge <order>',
  describe: 'Acknowledge that an order has failed, so that it no longer needs attention; nothing else happens to it',
  builder: (parser) =>
    withReason(withOrder(parser))
      .demandOption('reason')
      .example('gantry ops acknowledge 1001 --reason "the order was entered by mistake"', ''),
  isRemote: true,
  run: async (context, { order, ...note }) => (await decide()).acknowledgeOrder(context, order, note),
});

/** `gantry ops …` */
export const opsCommand = group('ops', 'Show and control the workflows of the running platform', [
  list,
  orders,
  show,
  history,
  reset,
  cancel,
  terminate,
  signal,
  refund,
  redeliver,
  settle,
  acknowledge,
]);

function withOrder<T>(parser: Argv<T>) {
  return parser.positional('order', {
    type: 'string',
    demandOption: true,
    describe: 'id of the order, such as 1001',
  });
}

function withWorkflow<T>(parser: Argv<T>) {
  return parser.positional('workflow', {
    type: 'string',
    demandOption: true,
    describe: 'id of the workflow, such as order-1001',
  });
}

function withReason<T>(parser: Argv<T>) {
  return parser
    .option('reason', word('reason of the request, stored with it'))
    .option('by', word('person who makes the request, stored too; by default the user of this computer'));
}

function resetPoint(text: string | undefined): string {
  if (text !== undefined && /^(FIRST_TASK|LAST_TASK|FAILED_STEP|COMPENSATION|[1-9]\d{0,8})$/.test(text)) return text;
  const expected = 'FIRST_TASK, LAST_TASK, FAILED_STEP, COMPENSATION or the id of an event';
  throw new UsageError(`--to must be ${expected}; found "${text ?? ''}".`, help('reset'));
}

function signalArguments(text: string | undefined): readonly unknown[] {
  if (text === undefined) return [];
  const expected = `a JSON array, such as '["text", 5]'`;
  try {
    const args: unknown = JSON.parse(text);
    if (Array.isArray(args)) return args as readonly unknown[];
  } catch {
    // Reported below.
  }
  throw new UsageError(`--args must be ${expected}; found ${text}`, help('signal'));
}

function once<T>(option: string, value: T | readonly T[] | undefined, name: string): T | undefined {
  if (Array.isArray(value)) throw new UsageError(`--${option} was given twice.`, help(name));
  return value as T | undefined;
}

function help(name: string): string {
  return `See: gantry ops ${name} --help`;
}
