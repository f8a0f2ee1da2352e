import type { Accounts } from './accounts';
import type { Database, Immutable } from '@gantry/plugin-api';
import { z } from 'zod';
import { apiToken, type User } from './account-schemas';
import { endApiTokens } from '../tokens/change-api-tokens';
import type { AccountChange } from './change-accounts';

/** Access that stays after the password of a user is reset, or the user is deleted, although somebody else may have made it. */
export const remainingAccess = z
  .object({
    tokens: z.array(apiToken),
    webhooks: z
      .array(z.object({ id: z.string(), name: z.string(), url: z.string() }))
      .describe('The webhooks that the user has created.'),
    created: z
      .object({
        users: z.array(z.object({ id: z.string(), login: z.string() })),
        roles: z.array(z.object({ name: z.string(), displayName: z.string() })),
        tokens: z
          .array(z.object({ id: z.string(), name: z.string(), login: z.string() }))
          .describe('API tokens of other users.'),
      })
      .describe(
        'The users, roles and API tokens that the user has created for others and that still exist, as the audit log records them.',
      ),
  })
  .meta({
    id: 'RemainingAccess',
    description:
      'API tokens and webhooks of the user that keep working, and users, roles and API tokens that the user has created for others.',
  });

/** The parts that are to end. */
export const endedAccess = {
  revokeTokens: z.boolean().default(false).describe('Ends the API tokens of the user.'),
  deleteWebhooks: z.boolean().default(false).describe('Deletes the webhooks that the user has created.'),
};

export type RemainingAccess = Immutable<z.infer<typeof remainingAccess>>;
/** The parts of it to end. */
export type EndedAccess = Partial<Readonly<Record<keyof typeof endedAccess, boolean>>>;

type Change = Pick<AccountChange, 'apiTokens' | 'record' | 'transaction' | 'webhooks'>;

/** Ends the chosen access, and notes it in the audit log. @returns the access that remains */
export async function endAccess(
  change: Change,
  user: Pick<User, 'id' | 'login'>,
  { revokeTokens = false, deleteWebhooks = false }: EndedAccess,
): Promise<RemainingAccess> {
  const { transaction, record, webhooks } = change;
  if (revokeTokens) await endApiTokens(change, user);
  if (deleteWebhooks) {
    const actor = `user:${user.id}`;
    for (const { id, name } of await webhooks.delete(transaction, actor)) {
      await record({ action: 'webhook-deleted', subject: `webhook:${id}`, detail: { name, user: actor } });
    }
  }
  return readRemaining(transaction, change, user.id);
}

/** Access that remains when the password of a user is reset or the user is deleted; the API tokens of a deleted user end. */
export async function readRemaining(
  database: Pick<Database, 'query'>,
  { apiTokens, webhooks }: Pick<Accounts, 'apiTokens' | 'webhooks'>,
  userId: string,
): Promise<RemainingAccess> {
  const actor = `user:${userId}`;
  return {
    tokens: await apiTokens.list(userId),
    webhooks: await webhooks.list(database, actor),
    created: await readCreated(database, actor),
  };
}

/** Existing things that a user has created for others. */
interface CreatedForOthers {
  readonly users: readonly { readonly id: string; readonly login: string }[];
  readonly roles: readonly { readonly name: string; readonly displayName: string }[];
  /** API tokens of other users. */
  readonly tokens: readonly { readonly id: string; readonly name: string; readonly login: string }[];
}

/** By the audit log. @param actor such as `user:12` */
async function readCreated(database: Pick<Database, 'query'>, actor: string): Promise<CreatedForOthers> {
  const users = await database.query<CreatedForOthers['users'][number]>(
    `SELECT u.id::text AS id, u.login FROM gantry_user u WHERE 'user:' || u.id IN
       (SELECT subject FROM gantry_audit_event WHERE actor = $1 AND action = 'user-created') ORDER BY u.login`,
    [actor],
  );
  const roles = await database.query<CreatedForOthers['roles'][number]>(
    `SELECT r.name, r.display_name AS "displayName" FROM gantry_role r WHERE r.name IN
       (SELECT substr(subject, 6) FROM gantry_audit_event WHERE actor = $1 AND action = 'role-created'
        UNION SELECT jsonb_path_query(detail, '$.roles[*].name') #>> '{}' FROM gantry_audit_event
        WHERE actor = $1 AND action = 'roles-imported') ORDER BY r.name`,
    [actor],
  );
  const tokens = await database.query<CreatedForOthers['tokens'][number]>(
    `SELECT t.public_id AS id, t.name, u.login FROM gantry_api_token t JOIN gantry_user u ON u.id = t.user_id
     WHERE 'user:' || t.user_id <> $1 AND 'token:' || t.public_id IN
       (SELECT subject FROM gantry_audit_event WHERE actor = $1 AND action = 'token-created') ORDER BY u.login, t.name`,
    [actor],
  );
  return { users, roles, tokens };
}
