import { Declined } from '../common/failure';
import type { PlatformRequest, PlatformSchema } from '@gantry/client/platform';
import { plain } from '../common/plain';
import { callRoute } from '../context/running-platform';
import type { CommandContext } from '../context/command-context';
import { assertAskable, confirm } from '../terminal/confirm';
import { moment } from '../terminal/duration';
import { table } from '../terminal/table';
import { backlogOf, report, stateOf } from './subscriptions';

type WithSecret = PlatformSchema<'WebhookWithSecret'>;
type Body = PlatformRequest<'POST', '/api/platform/webhooks'>['body'];

const one = '/api/platform/webhooks/{id}';

/** `gantry webhooks list` */
export async function listWebhooks(context: CommandContext): Promise<number> {
  const { data: webhooks } = await callRoute('GET', '/api/platform/webhooks', {}, context);
  const { terminal } = context;
  if (context.json) terminal.printJson(webhooks);
  else if (webhooks.length === 0) terminal.note('There is no webhook. Create one: gantry webhooks create --help');
  else {
    const rows = webhooks.map((webhook) => [
      webhook.id,
      plain(webhook.name),
      stateOf(webhook),
      backlogOf(webhook),
      String(webhook.waiting),
      String(webhook.undelivered),
      webhook.lastDeliveredAt === null ? 'never' : moment(webhook.lastDeliveredAt),
      webhook.createdByName === undefined ? (webhook.createdBy ?? '') : plain(webhook.createdByName),
      plain(webhook.url),
    ]);
    terminal.print(
      table(['WEBHOOK', 'NAME', 'STATE', 'BACKLOG', 'WAITING', 'UNDELIVERED', 'DELIVERED', 'CREATED BY', 'URL'], rows),
    );
  }
  return 0;
}

export interface WebhookArguments {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly types: readonly string[];
  /** The platform says which there are. */
  readonly actions: readonly string[];
  /** Values of fields that a change has to have. */
  readonly where: ReadonlyMap<string, string>;
  readonly headers: ReadonlyMap<string, string>;
}

/** `gantry webhooks create <name> <target>` */
export async function createWebhook(context: CommandContext, wanted: WebhookArguments): Promise<number> {
  const body = bodyOf(wanted) as Body;
  const { data: webhook } = await callRoute('POST', '/api/platform/webhooks', { body }, context);
  showSecret(context, webhook, `Created the webhook ${webhook.id}, which gets the changes from now on.`);
  return 0;
}

/** `gantry webhooks update <id>`: changes what is given. */
export async function updateWebhook(context: CommandContext, id: string, wanted: WebhookArguments): Promise<number> {
  const { data: webhook } = await callRoute('PATCH', one, { path: { id }, body: bodyOf(wanted) }, context);
  return report(context, webhook, `Changed ${webhook.id}.`);
}

/** `gantry webhooks delete <id>` */
export async function deleteWebhook(context: CommandContext, id: string, isSure: boolean): Promise<number> {
  const { terminal } = context;
  assertAskable(terminal, isSure, 'Deleting a webhook');
  const { data: webhook } = await callRoute('GET', one, { path: { id } }, context);
  if (!isSure && !(await confirm(terminal, `Delete ${plain(webhook.name)} (${plain(webhook.url)}) and its log?`))) {
    throw new Declined('Nothing was deleted.');
  }
  await callRoute('DELETE', one, { path: { id } }, context);
  return report(context, webhook, `Deleted ${webhook.id}.`);
}

/** `gantry webhooks secret <id>` */
export async function changeSecret(context: CommandContext, id: string): Promise<number> {
  const { data: webhook } = await callRoute('POST', `${one}/secret`, { path: { id } }, context);
  showSecret(context, webhook, `Changed the secret of ${webhook.id}; the earlier one is valid for a day.`);
  return 0;
}

/** `gantry webhooks test <id>` */
export async function testWebhook(context: CommandContext, id: string): Promise<number> {
  const { data: test } = await callRoute('POST', `${one}/test`, { path: { id } }, context);
  const { terminal } = context;
  if (context.json) terminal.printJson(test);
  else if (test.delivered) {
    terminal.print(`The receiver accepted the event with status ${test.status} in ${test.durationMs} ms.`);
  } else terminal.error(`gantry: The receiver did not accept the event: ${plain(test.error ?? '')}`);
  return test.delivered ? 0 : 1;
}

function showSecret({ json, terminal }: CommandContext, webhook: WithSecret, text: string): void {
  if (json) terminal.printJson(webhook);
  else {
    terminal.print(webhook.secret);
    terminal.note(`${text} The secret is above; it is not shown again.`);
  }
}

function bodyOf({ name, url, types, actions, where, headers }: WebhookArguments): Partial<Body> {
  const filter = [...where].map(([field, value]) => ({ field, operator: 'EQUALS' as const, value }));
  return {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(types.length === 0 ? {} : { types }),
    ...(actions.length === 0 ? {} : { actions: actions as NonNullable<Body['actions']> }),
    ...(filter.length === 0 ? {} : { filter }),
    ...(headers.size === 0 ? {} : { headers: Object.fromEntries(headers) }),
  };
}
