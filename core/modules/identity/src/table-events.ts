import { conditionsIn, type Grant } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import type { ClientBase } from 'pg';
import {
  settingTable,
  tableExists,
  type PurgedPlugin,
  type RenamedType,
  type TableEvents,
} from '@gantry/core-database';
import { changeGrants } from './roles/change-grants';
import { renameInGrants } from './roles/rename-in-grants';

/** Roles and the record of types follow renames and purges; a purge is noted in the audit log. */
export const identityEvents: TableEvents = {
  async renamed(client, { types }, logger) {
    for (const type of types) {
      await carryKnownType(client, type);
      await carryRoles(client, type, logger);
    }
  },
  async purged(client, purged) {
    const { plugin, extraFields } = purged;
    if (await tableExists(client, 'gantry_known_type')) {
      await client.query('DELETE FROM public.gantry_known_type WHERE plugin = $1', [plugin]);
      for (const { plugin: owner, type, fields } of extraFields) {
        await client.query(
          `UPDATE public.gantry_known_type SET returned = returned - $3::text[],
             fields = ARRAY(SELECT f FROM unnest(fields) AS f WHERE NOT f = ANY ($3::text[])),
             removed_fields = ARRAY(SELECT f FROM unnest(removed_fields) AS f WHERE NOT f = ANY ($3::text[]))
           WHERE plugin = $1 AND type = $2`,
          [owner, type, fields],
        );
      }
    }
    if (await hasRoles(client)) {
      // A plugin that comes back finds no rights on its new items that were given for the old ones.
      await changeGrants(client, (grants) =>
        grants
          .filter(({ on }) => typeof on === 'string' || on.plugin !== plugin)
          .flatMap((grant) => extraFields.reduce<readonly Grant[]>(withoutFields, [grant])),
      );
    }
    await recordPurge(client, purged);
  },
  async restored(client) {
    // A session, a one-time link, a challenge or a sign-in that was ended after the backup must not come back.
    for (const name of ['session', 'one_time_link', 'passkey_challenge', 'provider_request']) {
      const table = `gantry_${name}`;
      if (await tableExists(client, table)) await client.query(`DELETE FROM public.${table}`);
    }
  },
  async knownTypes(client) {
    if (!(await tableExists(client, 'gantry_known_type'))) return new Map();
    const { rows } = await client.query<{ plugin: string; types: readonly string[] }>(
      'SELECT plugin, array_agg(type) AS types FROM public.gantry_known_type GROUP BY plugin',
    );
    return new Map(rows.map(({ plugin, types }) => [plugin, types]));
  },
};

/** A platform that starts for the first time has none. */
async function hasRoles(client: ClientBase): Promise<boolean> {
  return (await tableExists(client, 'gantry_role')) && (await tableExists(client, settingTable.name));
}

/** Its times of removal and return go with it, so that a grant that did not apply does not apply afterwards. */
async function carryKnownType(client: ClientBase, type: RenamedType): Promise<void> {
  if (!(await tableExists(client, 'gantry_known_type'))) return;
  const { plugin, code, earlierCode, fields } = type;
  if (earlierCode !== undefined) {
    await client.query(
      `DELETE FROM public.gantry_known_type k WHERE plugin = $1 AND type = $3
         AND EXISTS (SELECT FROM public.gantry_known_type o WHERE o.plugin = $1 AND o.type = $2)`,
      [plugin, earlierCode, code],
    );
    await client.query('UPDATE public.gantry_known_type SET type = $3 WHERE plugin = $1 AND type = $2', [
      plugin,
      earlierCode,
      code,
    ]);
  }
  for (const { from, to } of fields) {
    await client.query(
      `UPDATE public.gantry_known_type SET
         fields = array_replace(array_remove(fields, $4), $3, $4),
         removed_fields = array_replace(array_remove(removed_fields, $4), $3, $4),
         returned = CASE WHEN returned ? $3 THEN returned - $3 || jsonb_build_object($4::text, returned -> $3) ELSE returned - $4 END
       WHERE plugin = $1 AND type = $2`,
      [plugin, code, from, to],
    );
  }
}

async function carryRoles(client: ClientBase, type: RenamedType, logger: Logger): Promise<void> {
  if (!(await hasRoles(client))) return;
  await changeGrants(client, (grants, role) => {
    const renamed = renameInGrants(grants, type);
    if (renamed.removed) {
      const fields = { plugin: type.plugin, type: type.code, role };
      logger.warn(fields, 'grants that had the new names before the rename were removed from the role; check it');
    }
    return renamed.grants;
  });
}

/** A grant on items by a condition on a field that is gone is about none. */
function withoutFields(
  grants: readonly Grant[],
  { plugin, type, fields }: PurgedPlugin['extraFields'][number],
): readonly Grant[] {
  return grants.flatMap((grant) => {
    const { on, readableFields, writableFields, where } = grant;
    if (typeof on === 'string' || on.plugin !== plugin || on.type !== type) return [grant];
    if (conditionsIn(where ?? []).some(({ field }) => fields.includes(field))) return [];
    const left = (names: readonly string[]): readonly string[] => names.filter((name) => !fields.includes(name));
    return [
      {
        ...grant,
        ...(readableFields === undefined ? {} : { readableFields: left(readableFields) }),
        ...(writableFields === undefined ? {} : { writableFields: left(writableFields) }),
      },
    ];
  });
}

async function recordPurge(client: ClientBase, { plugin, rows, actor }: PurgedPlugin): Promise<void> {
  if (!(await tableExists(client, 'gantry_audit_event'))) return;
  await client.query(
    `INSERT INTO public.gantry_audit_event (actor, action, subject, address, detail)
     VALUES ($1, 'plugin-purged', $2, '', $3::jsonb)`,
    [actor, `plugin:${plugin}`, JSON.stringify({ rows })],
  );
}
