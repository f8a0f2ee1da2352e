import { archiveApart } from './archive-apart';
import { fetchArchive } from './archives';
import { withSetClient } from './stored-set';

/** A package that one host has fetched, for the request that installs it. */
export interface SharedPackage {
  readonly id: string;
  readonly plugin: string;
  readonly contentHash: string;
  /** All that is noted of it, as text. */
  readonly note: string;
}

/** Packages that were fetched and not installed yet, in the database, where every host finds them. */
export interface SharedPackages {
  /** @throws PluginError PLUGIN_UNUSABLE for one that is too large */
  share(found: SharedPackage): Promise<void>;
  /** Fetches the package into the store of this home. @returns what is noted of it; undefined where there is none */
  find(id: string): Promise<string | undefined>;
}

/** A person looks at the check in between. */
const keptForHours = 12;

export function createSharedPackages(home: string, databaseUrl: string): SharedPackages {
  const forget = (id: string): Promise<void> =>
    withSetClient(databaseUrl, async (client) => {
      await client.query('DELETE FROM gantry_plugin_package WHERE id = $1', [id]);
    });
  return {
    async share({ id, plugin, contentHash, note }) {
      try {
        await withSetClient(databaseUrl, async (client) => {
          // First, so that a change of another host does not remove the archive again.
          await client.query(
            `INSERT INTO gantry_plugin_package (id, content_hash, note, expires_at)
             VALUES ($1, $2, $3, now() + interval '${keptForHours} h')`,
            [id, contentHash, note],
          );
          await archiveApart(client, { home, databaseUrl }, [{ id: plugin, hash: contentHash }]);
        });
      } catch (error) {
        await forget(id).catch(() => undefined);
        throw error;
      }
    },
    find: (id) =>
      withSetClient(databaseUrl, async (client) => {
        const { rows } = await client.query<{ note: string; content_hash: string; plugin: string }>(
          `SELECT note, content_hash, plugin FROM gantry_plugin_package JOIN gantry_plugin_archive USING (content_hash)
           WHERE id = $1 AND expires_at > now()`,
          [id],
        );
        const [found] = rows;
        if (found === undefined) return undefined;
        const isThere = await fetchArchive(client, home, found.plugin, found.content_hash);
        return isThere ? found.note : undefined;
      }),
  };
}
