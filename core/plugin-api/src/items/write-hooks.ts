import type { BaseItem, ItemId } from './base-item';
import type { FieldName, FieldValue, UntypedItem } from './items';

/**
 * Values of an item by the names of its fields, as requests have them: of a reference the id, of an instant its text. `null` is no value; a field that
 * is not there is not written, or not for the writer to see.
 * @public
 */
export type HookValues<T extends BaseItem = UntypedItem> = {
  readonly [Name in FieldName<T>]?: RequestValue<FieldValue<T[Name]>> | null;
};

/** A value as JSON has it. @public */
export type RequestValue<V> = V extends Date ? string : V extends undefined ? never : V;

/** An item that is about to be created or changed. @public */
export interface PendingWrite<T extends BaseItem = UntypedItem> {
  /** Code of its type. */
  readonly type: string;
  readonly action: 'create' | 'update';
  /** Undefined for a new item. */
  readonly id: ItemId | undefined;
  /** Written values: of a new item all, of a change those that change. They are valid. Fields that the writer may not see are left out. */
  readonly values: HookValues<T>;
  /** The item before the change, as the writer sees it; undefined for a new item. */
  readonly current: HookValues<T> | undefined;
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
}

/** The answer of a hook to a write; `undefined` lets it happen as it is. @public */
export interface WriteDecision<T extends BaseItem = UntypedItem> {
  /** Values that are written as well or instead: only of fields that the writer may set. They are checked like those of a request. */
  readonly values?: HookValues<T>;
  /** Why it must not happen, by field; an empty `field` is about the whole item. */
  readonly problems?: readonly { readonly field: FieldName<T> | ''; readonly message: string }[];
}

/** An item that was created or changed. @public */
export interface CommittedWrite<T extends BaseItem = UntypedItem> {
  readonly type: string;
  readonly action: 'create' | 'update';
  readonly id: ItemId;
  /** The committed write, as {@link PendingWrite} has it. */
  readonly values: HookValues<T>;
}

/**
 * Code that runs with every create and change of items of some types, by whichever way: requests, imports, code of plugins, restores,
 * and deletions that change items. With the class of their type, as in `WriteHookDefinition<Product>`, values have its types. `contributes.writeHooks` of the manifest names each as `beforeWrite <type>` or `afterWrite <type>`.
 * @example \{ types: ['product'], beforeWrite: (\{ values \}) => (values.price === '0' ? \{ problems: [\{ field: 'price', message: 'is not free' \}] \} : undefined) \}
 * @public
 */
export interface WriteHookDefinition<T extends BaseItem = UntypedItem> {
  /** Codes of the types, also of other plugins. */
  readonly types: readonly string[];
  /**
   * Runs inside the transaction, before the item is written, and has 1 second: others wait for the item meanwhile. May run again for the
   * same write. When it throws or takes longer, nothing is written.
   */
  beforeWrite?(write: PendingWrite<T>): WriteDecision<T> | undefined | Promise<WriteDecision<T> | undefined>;
  /**
   * Runs once the write is committed, at most once: what it throws is logged, and when the process ends it is lost. What must not be
   * lost belongs in a subscription, which gets every change at least once.
   */
  afterWrite?(write: CommittedWrite<T>): void | Promise<void>;
}
