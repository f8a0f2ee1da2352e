/** The kind of a change of an item. `left`: the reader may no longer see the item; such a change has no values. @public */
export const changeActions = ['created', 'updated', 'deleted', 'restored', 'left'] as const;
/** One of {@link changeActions}. @public */
export type ChangeAction = (typeof changeActions)[number];

/** By which way an item was changed. @public */
export const changeSources = ['rest', 'import', 'plugin', 'migration', 'sql', 'system'] as const;
/** One of {@link changeSources}. @public */
export type ChangeSource = (typeof changeSources)[number];

/**
 * A row of the change feed, as the reader may see it: one for each version of an item.
 * @public
 */
export interface ItemChange {
  /** Place in the feed, in the order in which changes became visible: `epoch.transaction.sequence`. */
  readonly position: string;
  /** When its transaction began, ISO 8601. */
  readonly at: string;
  /** Type code. */
  readonly type: string;
  /** A JSON number. */
  readonly id: number;
  /** Of the item after the change; of a deleted item, its last one. */
  readonly version: number;
  readonly action: ChangeAction;
  /** `user:12`, `local`, `plugin:order`, `system`, `database:gantry`; absent where the reader may not see who writes. */
  readonly actor?: string;
  /** Display name of the user, where there is one. */
  readonly actorName?: string;
  readonly source?: ChangeSource;
  readonly requestId?: string;
  /** The version from which the item was restored. */
  readonly restoredVersion?: number;
  /** Names of the fields that changed, as far as the reader may see them; all that have values when it was created or deleted. */
  readonly changed: readonly string[];
  /** The values after the change, of a deleted item those before it, as in rows. Absent for `left`. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The values before the change of the fields that changed. */
  readonly previous?: Readonly<Record<string, unknown>>;
}

/** How two versions of an item differ in one field. @public */
export interface FieldDifference {
  readonly field: string;
  readonly displayName: string;
  /** Type of the field. */
  readonly type: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The effect of a restore, or the reasons against it. @public */
export interface RestoreCheck {
  /** The version that would be restored. */
  readonly version: number;
  /** True where the item is deleted and would exist again with the same id. */
  readonly isDeleted: boolean;
  /** Names of the fields that would change, with the values that they would have. */
  readonly changes: readonly FieldDifference[];
  /** Problems of the restore, field by field; a restore can leave these fields out (`without`). */
  readonly problems: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

/** A deleted item, as its last version was. @public */
export interface DeletedItem {
  readonly id: number;
  readonly version: number;
  readonly label: string;
  readonly deletedAt: string;
  readonly actor?: string;
  readonly actorName?: string;
  readonly position: string;
}
