import type { Database } from '@gantry/plugin-api';
import { endApiTokens, type AccountChange, type ApiToken, type User } from '../identity';

/** A webhook that a user has created. */
export interface OwnWebhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

/** What works on after the password of a user is reset: somebody else may have made it. */
export interface RemainingAccess {
  readonly tokens: readonly ApiToken[];
  readonly webhooks: readonly OwnWebhook[];
}

/** What of it is to end. */
export interface EndedAccess {
  readonly revokeTokens?: boolean | undefined;
  readonly deleteWebhooks?: boolean | undefined;
}

type Change = Pick<AccountChange, 'apiTokens' | 'record' | 'transaction'>;

/** Ends what is chosen, and notes it in the audit log. @returns what remains */
export async function endAccess(
  change: Change,
  user: Pick<User, 'id' | 'login'>,
  { revokeTokens = false, deleteWebhooks = false }: EndedAccess = {},
): Promise<RemainingAccess> {
  const { apiTokens, transaction, record } = change;
  const actor = `user:${user.id}`;
  if (revokeTokens) await endApiTokens(change, user);
  const webhooks = await readWebhooks(transaction, actor);
  if (deleteWebhooks) {
    for (const { id, name } of webhooks) {
      await transaction.query(`DELETE FROM gantry_subscription WHERE name = $1`, [id]);
      await record({ action: 'webhook-deleted', subject: `webhook:${id}`, detail: { name, user: actor } });
    }
  }
  return { tokens: await apiTokens.list(user.id), webhooks: deleteWebhooks ? [] : webhooks };
}

/** @param actor who has created them, such as `user:12` */
function readWebhooks(database: Database, actor: string): Promise<readonly OwnWebhook[]> {
  return database.query<OwnWebhook>(
    `SELECT s.name AS id, w.name, w.url FROM gantry_webhook w JOIN gantry_subscription s ON s.id = w.subscription_id
     WHERE w.created_by = $1 ORDER BY w.name, s.id`,
    [actor],
  );
}
