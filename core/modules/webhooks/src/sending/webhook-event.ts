import type { FeedChange } from '../delivery/feed';
import type { Position } from '@gantry/core-database';

/** Value of `webhook-id`: the same for all attempts to deliver a change to a webhook, also after a replay. */
export function webhookIdOf(subscriptionId: string, position: Position): string {
  return `chg_${subscriptionId}_${position.join('_')}`;
}

/** The body of a request: a CloudEvent in the structured mode of JSON. */
export function cloudEventOf(
  webhookId: string,
  source: string,
  { change, json }: Pick<FeedChange, 'change' | 'json'>,
): string {
  const attributes = JSON.stringify({
    specversion: '1.0',
    id: webhookId,
    source,
    type: `gantry.item.${change.action}`,
    subject: `${change.type}/${change.id}`,
    time: change.at,
    datacontenttype: 'application/json',
  });
  return `${attributes.slice(0, -1)},"data":${json}}`;
}

/** The body of a test. */
export function testEventOf(webhookId: string, source: string, name: string): string {
  return JSON.stringify({
    specversion: '1.0',
    id: webhookId,
    source,
    type: 'gantry.webhook.test',
    subject: name,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data: {},
  });
}
