import type { Argv } from 'yargs';
import { UsageError } from '../common/usage-error';
import { command, group, type Command } from './command';
import { flag, word, wordOf } from './options';
import { routeUsage } from './route-usage';

const subscriptions = () => import('../commands/subscriptions.js');

const deliveries = routeUsage.webhookDeliveries;

/** `gantry subscriptions …` */
export const subscriptionsCommand = group('subscriptions', 'Manage the subscriptions of plugins to changes of items', [
  command({
    command: 'list',
    describe: routeUsage.listSubscriptions.summary,
    isRemote: true,
    run: async (context) => (await subscriptions()).listSubscriptions(context),
  }),
  ...controlCommands('subscriptions'),
  command({
    command: 'delete <id>',
    describe: routeUsage.deleteSubscription.summary,
    builder: (parser) => withId(parser).option('yes', flag('do not ask for confirmation; required without a terminal')),
    isRemote: true,
    run: async (context, { id, yes }) => (await subscriptions()).deleteSubscription(context, id, yes),
  }),
]);

/** The commands that webhooks and subscriptions of plugins have in common. */
export function controlCommands(kind: 'webhooks' | 'subscriptions'): readonly Command[] {
  const control = (action: 'pause' | 'resume' | 'retry' | 'discard', describe: string): Command =>
    command({
      command: `${action} <id>`,
      describe,
      builder: withId,
      isRemote: true,
      run: async (context, { id }) => (await subscriptions()).control(context, kind, id, action),
    });
  return [
    control('pause', routeUsage.pauseWebhook.summary),
    control('resume', routeUsage.resumeWebhook.summary),
    control('retry', routeUsage.retryUndelivered.summary),
    control('discard', routeUsage.discardUndelivered.summary),
    command({
      command: 'replay <id>',
      describe: routeUsage.replayWebhook.summary,
      builder: (parser) =>
        withId(parser)
          .option('from', { ...word('time, such as 2030-01-31T00:00:00Z'), conflicts: 'after' })
          .option('after', word('position of the change feed')),
      isRemote: true,
      async run(context, { id, from, after }) {
        const { replay } = await subscriptions();
        if (from !== undefined) return replay(context, kind, id, { from });
        if (after !== undefined) return replay(context, kind, id, { after });
        throw new UsageError('Name the start: --from <time> or --after <position>.');
      },
    }),
    command({
      command: 'log <id>',
      describe: deliveries.summary,
      builder: (parser) =>
        withId(parser)
          .option('undelivered', flag('show the undelivered changes'))
          .option('limit', wordOf(deliveries.values.limit)),
      isRemote: true,
      run: async (context, { id, undelivered, limit = String(deliveries.values.limit.default) }) =>
        (await subscriptions()).showLog(context, kind, id, { isUndelivered: undelivered, limit }),
    }),
  ];
}

export function withId(parser: Argv) {
  return parser.positional('id', { type: 'string', demandOption: true, describe: 'id, as the list shows it' });
}
