import type { Database } from '@gantry/plugin-api';

/** Existing things that a user has created for others. */
export interface CreatedForOthers {
  readonly users: readonly { readonly id: string; readonly login: string }[];
  readonly roles: readonly { readonly name: string; readonly displayName: string }[];
  /** API tokens of other users. */
  readonly tokens: readonly { readonly id: string; readonly name: string; readonly login: string }[];
}

/** By the audit log. @param actor such as `user:12` */
export async function readCreated(database: Pick<Database, 'query'>, actor: string): Promise<CreatedForOthers> {
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
