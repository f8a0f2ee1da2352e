import type { Argv } from 'yargs';
import { UsageError } from '../common/usage-error';
import { command, group } from './command';
import { flag, parseCount, phraseOf, word, wordOf } from './options';
import { routeUsage } from './route-usage';

const listing = routeUsage['ops.listWorkflows'];
const resetting = routeUsage['ops.resetWorkflow'];
const resetPoints = resetting.values.to.choices;
const run = word('id of an earlier run, such as the run before a reset');
const yes = flag('do not ask for confirmation; required without a terminal');
const ops = () => import('../commands/ops/ops.js');

/** `gantry ops …` */
export const opsCommand = group('ops', 'Show and control the workflows of the running platform', [
  command({
    command: 'list',
    describe: listing.summary,
    builder: (parser) =>
      parser
        .option('status', wordOf(listing.values.status))
        .option('type', wordOf(listing.values.type))
        .option('query', wordOf(listing.values.query))
        .option('limit', wordOf(listing.values.limit))
        .option('after', word('cursor of the page, as printed below the previous page'))
        .option('all', flag('show all pages'))
        .example('gantry ops list --status FAILED --type placeOrder', '')
        .example(`gantry ops list --query "StartTime > '2030-01-31T00:00:00Z'"`, ''),
    isRemote: true,
    async run(context, { all, status, type, query, limit, after }) {
      const state = listing.values.status.choices.find((one) => one === status);
      const most = limit === undefined ? undefined : parseCount('limit', limit, listing.values.limit.max);
      return (await ops()).listWorkflows(context, { all, query: { status: state, type, query, limit: most, after } });
    },
  }),
  show('show', routeUsage['ops.readWorkflow'].summary, 'showWorkflow'),
  show('history', routeUsage['ops.readHistory'].summary, 'showHistory'),
  command({
    command: 'reset <workflow>',
    describe: resetting.summary,
    builder: (parser) =>
      withReason(withWorkflow(parser))
        .option('to', {
          ...word(`${resetPoints.join(', ')}, or the id of an event that ends a workflow task`),
          demandOption: true,
        })
        .option('dry-run', flag(phraseOf(resetting.values.dryRun)))
        .option('yes', yes)
        .example('gantry ops reset order-1001 --to COMPENSATION --reason "the bank is back" --yes', ''),
    isRemote: true,
    run: async (context, { workflow, to, ...args }) =>
      (await ops()).resetWorkflow(context, workflow, { ...args, to: resetPoint(to) }),
  }),
  end('cancel', routeUsage['ops.cancelWorkflow'].summary),
  end('terminate', routeUsage['ops.terminateWorkflow'].summary),
  command({
    command: 'signal <workflow> <signal>',
    describe: routeUsage['ops.signalWorkflow'].summary,
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
  const expected = `${resetPoints.join(', ')} or the id of an event`;
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
