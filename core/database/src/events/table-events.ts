import type { Logger } from '@gantry/plugin-api';
import type { ClientBase } from 'pg';
import type { PluginRenames } from '../schema/renames/plan-renames';

/** A plugin of which everything is deleted. */
export interface PurgedPlugin {
  readonly plugin: string;
  /** Codes of its item types, also of those that it had in earlier versions. */
  readonly types: readonly string[];
  /** Tables of their items, also of those that were dropped by hand. */
  readonly itemTables: readonly string[];
  /** Fields that it had added to types of other plugins. */
  readonly extraFields: readonly {
    readonly plugin: string;
    /** Type code. */
    readonly type: string;
    readonly fields: readonly string[];
  }[];
  /** Rows that were deleted, by the name of the table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Who does it, for the audit log. */
  readonly actor: string;
}

/** Changes that are about to be deleted from the feed. */
export interface TrimmedChanges {
  /** The feed or one of its partitions. */
  readonly table: string;
  /** SQL over the alias `c` of the changes; all of the table unless given. */
  readonly condition?: string;
  /** Code of their item type; changes of all types unless given. */
  readonly type?: string;
}

/**
 * Changes that the owner of tables makes in its rows when the names in them change. Each runs on the connection of the change and
 * within its transaction: one that throws undoes all of it. The tables may not be there yet, as a platform of an earlier version has not all.
 */
export interface TableEvents {
  /** Tables, item types or fields of a plugin have new names. */
  readonly renamed?: (client: ClientBase, renames: PluginRenames, logger: Logger) => Promise<void>;
  /** A plugin is purged: its tables are gone. */
  readonly purged?: (client: ClientBase, purged: PurgedPlugin) => Promise<void>;
  /** Changes of the feed are deleted that somebody may not have read. */
  readonly trimmed?: (client: ClientBase, changes: TrimmedChanges) => Promise<void>;
  /** The database was made from a backup: its rows are as they were when that began. */
  readonly restored?: (client: ClientBase) => Promise<void>;
  /** Codes of the item types that plugins have had, by the id of the plugin. */
  readonly knownTypes?: (client: ClientBase) => Promise<ReadonlyMap<string, readonly string[]>>;
}

/** Owners of events, such as the schema of a part of the platform. */
export interface WithEvents {
  readonly events?: TableEvents;
}
