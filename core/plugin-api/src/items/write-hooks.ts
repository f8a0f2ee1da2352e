import type { ItemId } from './base-item';

/** Values of an item by the names of its fields, as requests have them; of a reference the id. @public */
export type HookValues = Readonly<Record<string, unknown>>;

/** An item that is about to be created or changed. @public */
export interface PendingWrite {
  /** Code of its type. */
  readonly type: string;
  readonly action: 'create' | 'update';
  /** Undefined for a new item. */
  readonly id: ItemId | undefined;
  /** Written values: of a new item all, of a change those that change. They are valid. Fields that the writer may not see are left out. */
  readonly values: HookValues;
  /** The item before the change, as the writer sees it; undefined for a new item. */
  readonly current: HookValues | undefined;
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
}

/** The answer of a hook to a write; `undefined` lets it happen as it is. @public */
export interface WriteDecision {
  /** Values that are written as well or instead: only of fields that the writer may set. They are checked like those of a request. */
  readonly values?: HookValues;
  /** Why it must not happen, by field; an empty `field` is about the whole item. */
  readonly problems?: readonly { readonly field: string; readonly message: string }[];
}

/** An item that was created or changed. @public */
export interface CommittedWrite {
  readonly type: string;
  readonly action: 'create' | 'update';
  readonly id: ItemId;
  /** The committed write, as {@link PendingWrite} has it. */
  readonly values: HookValues;
}

/**
 * Code that runs with every create and change of items of some types, by whichever way: requests, imports, code of plugins, restores,
 * and deletions that change items. `contributes.writeHooks` of the manifest names each as `beforeWrite <type>` or `afterWrite <type>`.
 * @example \{ types: ['product'], beforeWrite: (\{ values \}) => (values.price === '0' ? \{ problems: [\{ field: 'price', message: 'is not free' \}] \} : undefined) \}
 * @public
 */
export interface WriteHookDefinition {
  /** Codes of the types, also of other plugins. */
  readonly types: readonly string[];
  /**
   * Runs inside the transaction, before the item is written, and has 1 second: others wait for the item meanwhile. May run again for the
   * same write. When it throws or takes longer, nothing is written.
   */
  beforeWrite?(write: PendingWrite): WriteDecision | undefined | Promise<WriteDecision | undefined>;
  /**
   * Runs once the write is committed, at most once: what it throws is logged, and when the process ends it is lost. What must not be
   * lost belongs in a subscription, which gets every change at least once.
   */
  afterWrite?(write: CommittedWrite): void | Promise<void>;
}
