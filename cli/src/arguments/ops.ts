import type { Argv } from 'yargs';
import { UsageError } from '../common/usage-error';
import { command, group } from './command';
import { flag, parseCount, word } from './options';

/** Written out, so that the help needs nothing of the platform. */
const statuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED', 'TERMINATED', 'TIMED_OUT', 'CONTINUED_AS_NEW'] as const;
const resetPoints = ['FIRST_TASK', 'LAST_TASK', 'FAILED_STEP', 'COMPENSATION'] as const;
const run = word('id of an earlier run, such as the run before a reset');
const yes = flag('do not ask for confirmation; required without a terminal');
const ops = () => import('../commands/ops.js');

/** `gantry ops …` */
export const opsCommand = group('ops', 'Show and control the workflows of the running platform', [
  command({
    command: 'list',
    describe: 'List workflows, newest first',
    builder: (parser) =>
      parser
        .option('status', { ...word('only those in this state'), choices: statuses })
        .option('type', word('only those of this type, such as placeOrder'))
        .option('query', word("a condition in Temporal's query language"))
        .option('limit', word('workflows per page, 1 to 1000 (default 50)'))
        .option('after', word('cursor of the page to show, printed below the page before'))
        .option('all', flag('show all pages'))
        .example('gantry ops list --status FAILED --type placeOrder', '')
        .example(`gantry ops list --query "StartTime > '2030-01-31T00:00:00Z'"`, ''),
    isRemote: true,
    async run(context, { all, status, type, query, limit, after }) {
      const state = statuses.find((one) => one === status);
      const most = limit === undefined ? undefined : parseCount('limit', limit, 1_000);
      return (await ops()).listWorkflows(context, { all, query: { status: state, type, query, limit: most, after } });
    },
  }),
  show(
    'show',
    'Show a workflow: its state, activities with their attempts, failures, children, and what blocks it',
    'showWorkflow',
  ),
  show('history', 'Show the events of a workflow from its start, as Temporal stores them', 'showHistory'),
  command({
    command: 'reset <workflow>',
    describe: 'Reset a workflow that has ended to a point in its history: a new run repeats what follows',
    builder: (parser) =>
      withReason(withWorkflow(parser))
        .option('to', {
          ...word('FIRST_TASK, LAST_TASK, FAILED_STEP, COMPENSATION, or the id of an event that ends a workflow task'),
          demandOption: true,
        })
        .option('dry-run', flag('show what would be repeated; change nothing'))
        .option('yes', yes)
        .example('gantry ops reset order-1001 --to COMPENSATION --reason "the bank is back" --yes', ''),
    isRemote: true,
    run: async (context, { workflow, to, ...args }) =>
      (await ops()).resetWorkflow(context, workflow, { ...args, to: resetPoint(to) }),
  }),
  end('cancel', 'Cancel a workflow: it runs its compensation first, which refunds a paid order'),
  end('terminate', 'Terminate a workflow at once, without compensation: nothing is refunded'),
  command({
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
    run: async (context, { workflow, signal, args, reason, by }) =>
      (await ops()).signalWorkflow(context, workflow, { signal, args: signalArguments(args), reason, by }),
  }),
]);

function show(name: 'show' | 'history', describe: string, shown: 'showWorkflow' | 'showHistory') {
  return command({
    command: `${name} <workflow>`,
    describe,
    builder: (parser) => withWorkflow(parser).option('run', run),
    isRemote: true,
    run: async (context, { workflow, run: id }) => (await ops())[shown](context, workflow, id),
  });
}

function end(how: 'cancel' | 'terminate', describe: string) {
  return command({
    command: `${how} <workflow>`,
    describe,
    builder: (parser) => withReason(withWorkflow(parser)).option('yes', yes),
    isRemote: true,
    run: async (context, { workflow, ...note }) => (await ops()).endWorkflow(context, how, workflow, note),
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

function resetPoint(text: string | undefined): (typeof resetPoints)[number] | number {
  if (/^[1-9]\d{0,8}$/.test(text ?? '')) return Number(text);
  const known = resetPoints.find((point) => point === text);
  if (known !== undefined) return known;
  const expected = 'FIRST_TASK, LAST_TASK, FAILED_STEP, COMPENSATION or the id of an event';
  throw new UsageError(`--to must be ${expected}; found "${text ?? ''}".`, 'See: gantry ops reset --help');
}

function signalArguments(text: string | undefined): readonly unknown[] {
  if (text === undefined) return [];
  try {
    const args: unknown = JSON.parse(text);
    if (Array.isArray(args)) return args as readonly unknown[];
  } catch {
    // Reported below.
  }
  const expected = `a JSON array, such as '["text", 5]'`;
  throw new UsageError(`--args must be ${expected}; found ${text}`, 'See: gantry ops signal --help');
}
