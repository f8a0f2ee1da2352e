import { Declined } from '../common/failure';
import type { PlatformSchema } from '@gantry/client/platform';
import { plain } from '../common/plain';
import type { CommandContext } from '../context/command-context';
import { callRoute } from '../context/running-platform';
import { assertAskable, confirm } from '../terminal/confirm';
import { moment } from '../terminal/duration';
import { counted, table } from '../terminal/table';

/** The subject of commands: the path of their endpoints. */
export type SubscriptionKind = 'webhooks' | 'subscriptions';

type Subscription = PlatformSchema<'PluginSubscription'>;

/** A webhook or a subscription of a plugin. */
type Controlled = PlatformSchema<'Webhook'> | Subscription;

/** The path of a webhook or of a subscription of a plugin, and its parameters. The id of the latter is `<plugin>/<name>`. */
function pathOf(kind: SubscriptionKind, id: string) {
  if (kind === 'webhooks') return { of: '/api/platform/webhooks/{id}', path: { id } } as const;
  const [plugin = '', ...name] = id.split('/');
  return { of: '/api/platform/subscriptions/{plugin}/{name}', path: { plugin, name: name.join('/') } } as const;
}

/** `gantry subscriptions list` */
export async function listSubscriptions(context: CommandContext): Promise<number> {
  const { data: subscriptions } = await callRoute('GET', '/api/platform/subscriptions', {}, context);
  const { terminal } = context;
  if (context.json) terminal.printJson(subscriptions);
  else if (subscriptions.length === 0) terminal.note('No plugin has a subscription.');
  else {
    const rows = subscriptions.map((subscription) => [
      subscription.id,
      subscription.types === null ? 'not in use' : stateOf(subscription),
      backlogOf(subscription),
      String(subscription.waiting),
      String(subscription.undelivered),
      subscription.lastDeliveredAt === null ? 'never' : moment(subscription.lastDeliveredAt),
      typesOf(subscription),
    ]);
    terminal.print(table(['SUBSCRIPTION', 'STATE', 'BACKLOG', 'WAITING', 'UNDELIVERED', 'DELIVERED', 'TYPES'], rows));
  }
  return 0;
}

function typesOf({ types }: Subscription): string {
  if (types === null) return '';
  return types.length === 0 ? 'all' : types.map(plain).join(', ');
}

/** `gantry subscriptions delete <id>` */
export async function deleteSubscription(context: CommandContext, id: string, isSure: boolean): Promise<number> {
  const { terminal } = context;
  assertAskable(terminal, isSure, 'Deleting a subscription');
  const { of, path } = pathOf('subscriptions', id);
  const { data: subscription } = await callRoute('GET', of, { path }, context);
  const question = `Delete the subscription ${plain(subscription.id)}? If the plugin is enabled again, the subscription begins as a new one.`;
  if (!isSure && !(await confirm(terminal, question))) {
    throw new Declined('Nothing was deleted.');
  }
  await callRoute('DELETE', of, { path }, context);
  return report(context, subscription, `Deleted ${subscription.id}.`);
}

/** `pause`, `resume`, `retry` and `discard` of a webhook or a subscription. */
export async function control(
  context: CommandContext,
  kind: SubscriptionKind,
  id: string,
  action: 'pause' | 'resume' | 'retry' | 'discard',
): Promise<number> {
  const { of, path } = pathOf(kind, id);
  const { data: subscription } = await callRoute('POST', `${of}/${action}`, { path }, context);
  const done = {
    pause: `Paused ${subscription.id}: its changes wait.`,
    resume: `Resumed ${subscription.id}: ${counted(subscription.waiting, 'change')} waited and will be delivered now.`,
    retry: `Retrying ${counted(subscription.waiting, 'change')} of ${subscription.id}.`,
    discard: `Removed the undelivered changes of ${subscription.id} from the list.`,
  };
  return report(context, subscription, done[action]);
}

/** `replay` of a webhook or a subscription. */
export async function replay(
  context: CommandContext,
  kind: SubscriptionKind,
  id: string,
  from: { readonly from: string } | { readonly after: string },
): Promise<number> {
  const { of, path } = pathOf(kind, id);
  const { data: subscription } = await callRoute('POST', `${of}/replay`, { path, body: from }, context);
  const done = `${subscription.id} replays the changes after the position ${subscription.position}.`;
  return report(context, subscription, done);
}

/** `log` of a webhook or a subscription. */
export async function showLog(
  context: CommandContext,
  kind: SubscriptionKind,
  id: string,
  { isUndelivered, limit }: { readonly isUndelivered: boolean; readonly limit: string },
): Promise<number> {
  const { of, path } = pathOf(kind, id);
  // The platform says what is wrong with another text.
  const query = { limit: limit as unknown as number };
  if (isUndelivered) {
    const { data: changes } = await callRoute('GET', `${of}/undelivered`, { path, query }, context);
    return printRows(context, changes, ['GIVEN UP', 'ITEM', 'ATTEMPTS', 'ERROR'], (change) => [
      ...[moment(change.givenUpAt), plain(change.subject), String(change.attempts), plain(change.error)],
    ]);
  }
  const { data: attempts } = await callRoute('GET', `${of}/deliveries`, { path, query }, context);
  return printRows(context, attempts, ['AT', 'ITEM', 'ATTEMPT', 'STATUS', 'DURATION', 'RESULT'], (attempt) => [
    ...[moment(attempt.at), plain(attempt.subject), String(attempt.attempt), String(attempt.status ?? '-')],
    ...[`${attempt.durationMs} ms`, attempt.delivered ? 'delivered' : plain(attempt.error ?? 'failed')],
  ]);
}

function printRows<T>(
  { json, terminal }: CommandContext,
  rows: readonly T[],
  header: readonly string[],
  cellsOf: (row: T) => readonly string[],
): number {
  if (json) terminal.printJson(rows);
  else if (rows.length === 0) terminal.note('No results');
  else terminal.print(table(header, rows.map(cellsOf)));
  return 0;
}

export function report({ json, terminal }: CommandContext, subscription: object, text: string): number {
  if (json) terminal.printJson(subscription);
  else terminal.print(text);
  return 0;
}

export function stateOf({ state, failingSince, gapSince }: Controlled): string {
  if (state === 'paused') return 'paused';
  if (failingSince !== null) return 'failing';
  return gapSince === null ? 'active' : 'gap';
}

/** Changes that are not read yet. */
export function backlogOf({ backlog }: Controlled): string {
  return backlog < 1_000 ? String(backlog) : '1,000+';
}
