import type { Argv } from 'yargs';
import { command, group } from './command';
import { flag, parsePairs, word, words } from './options';
import { routeUsage } from './route-usage';
import { controlCommands, withId } from './subscriptions';

const webhooks = () => import('../commands/webhooks.js');

/** `gantry webhooks …` */
export const webhooksCommand = group('webhooks', 'Manage webhooks, which send changes of items to other programs', [
  command({
    command: 'list',
    describe: routeUsage.listWebhooks.summary,
    isRemote: true,
    run: async (context) => (await webhooks()).listWebhooks(context),
  }),
  command({
    command: 'create <name> <target>',
    describe: 'Create a webhook and print its secret',
    builder: (parser) =>
      withSelection(parser)
        .positional('name', { type: 'string', demandOption: true, describe: 'name to show' })
        .positional('target', { type: 'string', demandOption: true, describe: 'URL that gets the requests' })
        .example('gantry webhooks create "Search index" https://example.com/hooks --type product', ''),
    isRemote: true,
    run: async (context, args) => (await webhooks()).createWebhook(context, selectionOf(args)),
  }),
  command({
    command: 'update <id>',
    describe: routeUsage.updateWebhook.summary,
    builder: (parser) =>
      withSelection(withId(parser))
        .option('name', word('name to show'))
        .option('target', word('URL that gets the requests')),
    isRemote: true,
    run: async (context, args) => (await webhooks()).updateWebhook(context, args.id, selectionOf(args)),
  }),
  command({
    command: 'delete <id>',
    describe: routeUsage.deleteWebhook.summary,
    builder: (parser) => withId(parser).option('yes', flag('do not ask for confirmation; required without a terminal')),
    isRemote: true,
    run: async (context, { id, yes }) => (await webhooks()).deleteWebhook(context, id, yes),
  }),
  ...controlCommands('webhooks'),
  command({
    command: 'secret <id>',
    describe: 'Change the secret and print it; the earlier one is valid for a day',
    builder: withId,
    isRemote: true,
    run: async (context, { id }) => (await webhooks()).changeSecret(context, id),
  }),
  command({
    command: 'test <id>',
    describe: 'Send a test event and show the answer',
    builder: withId,
    isRemote: true,
    run: async (context, { id }) => (await webhooks()).testWebhook(context, id),
  }),
]);

function withSelection<T>(parser: Argv<T>) {
  return parser
    .option('type', words('code of an item type; may be given several times, all types unless given'))
    .option('action', words('created, updated, deleted or restored; may be given several times, all unless given'))
    .option(
      'where',
      words('<field>=<value> that items must have before or after the change; may be given several times'),
    )
    .option('header', words('<name>=<value> of a header field of each request; may be given several times'));
}

interface Selection {
  readonly name?: string | undefined;
  readonly target?: string | undefined;
  readonly type: readonly string[];
  readonly action: readonly string[];
  readonly where: readonly string[];
  readonly header: readonly string[];
}

function selectionOf({ name, target, type, action, where, header }: Selection) {
  return {
    ...{ name, url: target, types: type, actions: action },
    where: parsePairs('where', where, false),
    headers: parsePairs('header', header, false),
  };
}
