import type { Database, Immutable } from '@gantry/plugin-api';
import { z } from 'zod';
import { apiToken, endApiTokens, readCreated, type AccountChange, type User } from '../identity';

/** Access that stays after the password of a user is reset, or the user is deleted, although somebody else may have made it. */
export const remainingAccess = z
  .object({
    tokens: z.array(apiToken),
    webhooks: z
      .array(z.object({ id: z.string(), name: z.string(), url: z.string() }))
      .describe('Those that the user has created.'),
    created: z
      .object({
        users: z.array(z.object({ id: z.string(), login: z.string() })),
        roles: z.array(z.object({ name: z.string(), displayName: z.string() })),
        tokens: z
          .array(z.object({ id: z.string(), name: z.string(), login: z.string() }))
          .describe('API tokens of other users.'),
      })
      .describe(
        'The users, roles and API tokens that the user has created for others and that still exist, by the audit log.',
      ),
  })
  .meta({
    id: 'RemainingAccess',
    description: 'API tokens and webhooks of the user that work on, and what the user has created for others.',
  });

/** What of it is to end. */
export const endedAccess = {
  revokeTokens: z.boolean().default(false).describe('Ends the API tokens of the user.'),
  deleteWebhooks: z.boolean().default(false).describe('Deletes the webhooks that the user has created.'),
};

export type RemainingAccess = Immutable<z.infer<typeof remainingAccess>>;
type OwnWebhook = RemainingAccess['webhooks'][number];

/** The parts of it to end. */
export type EndedAccess = Partial<Readonly<Record<keyof typeof endedAccess, boolean>>>;

type Change = Pick<AccountChange, 'apiTokens' | 'record' | 'transaction'>;

/** Ends the chosen access, and notes it in the audit log. @returns the access that remains */
export async function endAccess(
  change: Change,
  user: Pick<User, 'id' | 'login'>,
  { revokeTokens = false, deleteWebhooks = false }: EndedAccess,
): Promise<RemainingAccess> {
  const { apiTokens, transaction, record } = change;
  if (revokeTokens) await endApiTokens(change, user);
  if (deleteWebhooks) {
    const actor = `user:${user.id}`;
    for (const { id, name } of await readWebhooks(transaction, actor)) {
      await transaction.query(`DELETE FROM gantry_subscription WHERE name = $1`, [id]);
      await record({ action: 'webhook-deleted', subject: `webhook:${id}`, detail: { name, user: actor } });
    }
  }
  return readRemaining(transaction, apiTokens, user.id);
}

/** Access that remains when the password of a user is reset or the user is deleted; the API tokens of a deleted user end. */
export async function readRemaining(
  database: Pick<Database, 'query'>,
  apiTokens: Pick<AccountChange['apiTokens'], 'list'>,
  userId: string,
): Promise<RemainingAccess> {
  const actor = `user:${userId}`;
  const webhooks = await readWebhooks(database, actor);
  return { tokens: await apiTokens.list(userId), webhooks, created: await readCreated(database, actor) };
}

/** @param actor who has created them, such as `user:12` */
function readWebhooks(database: Pick<Database, 'query'>, actor: string): Promise<readonly OwnWebhook[]> {
  return database.query<OwnWebhook>(
    `SELECT s.name AS id, w.name, w.url FROM gantry_webhook w JOIN gantry_subscription s ON s.id = w.subscription_id
     WHERE w.created_by = $1 ORDER BY w.name, s.id`,
    [actor],
  );
}
