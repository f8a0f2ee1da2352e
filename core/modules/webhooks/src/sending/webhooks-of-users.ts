import type { Database } from '@gantry/plugin-api';

interface OwnWebhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

/** The webhooks that a user has created, by name. @param actor such as `user:12` */
export function listWebhooksOf(database: Pick<Database, 'query'>, actor: string): Promise<readonly OwnWebhook[]> {
  return database.query<OwnWebhook>(
    `SELECT s.name AS id, w.name, w.url FROM gantry_webhook w JOIN gantry_subscription s ON s.id = w.subscription_id
     WHERE w.created_by = $1 ORDER BY w.name, s.id`,
    [actor],
  );
}

/** Deletes them. @returns those that were deleted */
export async function deleteWebhooksOf(
  transaction: Pick<Database, 'query'>,
  actor: string,
): Promise<readonly OwnWebhook[]> {
  const webhooks = await listWebhooksOf(transaction, actor);
  await transaction.query('DELETE FROM gantry_subscription WHERE name = ANY ($1)', [webhooks.map(({ id }) => id)]);
  return webhooks;
}
