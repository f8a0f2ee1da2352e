import type { ItemMetadata } from '@gantry/contracts';
import type { BaseItem, ItemId } from './base-item';
import type { ExtraFieldsClass, NamedExtraFields } from './extra-fields';
import type { Caller } from '../routes/caller';

/** The class of an item type. @public */
export type ItemClass<T extends BaseItem> = abstract new (...args: never[]) => T;

/** The names of the fields that a class declares. @public */
export type FieldName<T extends BaseItem> = {
  [Name in Exclude<keyof T, keyof BaseItem>]: T[Name] extends (...args: never[]) => unknown ? never : Name;
}[Exclude<keyof T, keyof BaseItem>] &
  string;

/**
 * The value of a field as its class declares it, but for references, which are ids: text of digits. Long integers and decimals
 * are text, so that no digit is lost; other numbers are numbers.
 * @public
 */
export type FieldValue<V> = V extends BaseItem
  ? ItemId
  : V extends readonly (infer Target)[]
    ? Target extends BaseItem
      ? readonly ItemId[]
      : V
    : V;

/** The values of an item that is created or changed; `undefined` means that the field is left out. @public */
export type ItemValues<T extends BaseItem> = {
  readonly [Name in FieldName<T>]?: FieldValue<T[Name]> | null | undefined;
};

/**
 * The names of the fields that a new item needs: those whose class knows neither null nor undefined. A field that gets a value by itself, such as
 * a default, is declared with a question mark.
 * @public
 */
export type RequiredField<T extends BaseItem> = {
  [Name in FieldName<T>]: null extends T[Name]
    ? never
    : undefined extends T[Name]
      ? never
      : T[Name] extends readonly unknown[]
        ? never
        : Name;
}[FieldName<T>];

/** The values of a new item. @public */
export type NewItem<T extends BaseItem> = ItemValues<T> & {
  readonly [Name in RequiredField<T>]: FieldValue<T[Name]>;
};

/** An item as it is stored: plain values, frozen. @public */
export type StoredItem<T extends BaseItem> = {
  readonly [Name in FieldName<T>]: Exclude<FieldValue<T[Name]>, undefined>;
} & {
  readonly id: ItemId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Rises by one with every change. */
  readonly version: number;
};

/** Comparisons of a value; all members must hold. @public */
export interface Comparison<V> {
  readonly equals?: V | null;
  /** Of text: without regard to upper and lower case. */
  readonly contains?: string;
  readonly moreThan?: V;
  readonly lessThan?: V;
  /** Also holds where there is no value. */
  readonly notEquals?: V;
  /** One of at most 1,000 values. */
  readonly in?: readonly V[];
  /** From the first to the second value, both included. */
  readonly between?: readonly [V | string, V | string];
  /** Of text: without regard to upper and lower case. */
  readonly startsWith?: string;
  /** `true` for no value, or blank text. */
  readonly empty?: boolean;
  /** Of days and instants; a text such as `-7d` is relative to now. */
  readonly before?: V | string;
  readonly after?: V | string;
}

/** One item of a MULTIPLE reference. */
type Compared<V> = V extends readonly (infer Each)[] ? Each : V;

/**
 * Which items are meant: by field a value, which must be equal, or a {@link Comparison}. All must hold. `null` means no value.
 * Unlike those of a request, the fields need not be searchable, and none is ever skipped: an unknown field or `undefined` is refused.
 * `'catalog.code'` is a field of the item that a reference refers to: one that it refers to has to meet the comparison. Of the objects in
 * `$any`, one has to be met, of those in `$all`, each; at most three levels deep.
 * @example \{ state: 'OPEN', amount: \{ moreThan: '100.00' \}, 'customer.country': 'DE', $any: [\{ due: null \}, \{ due: \{ before: '7d' \} \}] \}
 * @public
 */
export type ItemCriteria<T extends BaseItem> = {
  readonly [Name in FieldName<T>]?:
    | Compared<FieldValue<T[Name]>>
    | Comparison<Exclude<Compared<FieldValue<T[Name]>>, null>>
    | null;
} & {
  readonly [Name in `${FieldName<T>}.${string}`]?: RelatedValue | Comparison<RelatedValue> | null;
} & {
  readonly id?: ItemId | Comparison<ItemId>;
  readonly $any?: readonly ItemCriteria<T>[];
  readonly $all?: readonly ItemCriteria<T>[];
};

/** The value of a field of an item that a reference refers to; its type is not known here. @public */
export type RelatedValue = string | number | bigint | boolean | Date;

/** The names of the fields by which items can be sorted, as far as the class says: those with one plain value. @public */
export type SortableField<T extends BaseItem> = {
  [Name in FieldName<T>]: T[Name] extends SortableValue | null | undefined
    ? Name
    : unknown extends T[Name]
      ? Name
      : never;
}[FieldName<T>];

/** The values that have an order; a reference is sorted by its id. @public */
export type SortableValue = string | number | bigint | boolean | Date | BaseItem;

/** How a list is cut and ordered. @public */
export interface ListOptions<T extends BaseItem> {
  /** Items at most: 50 unless given, 1000 at most. */
  readonly limit?: number;
  /** A searchable field, `id`, `createdAt` or `updatedAt`, with `-` before it for the other direction; `-id` unless given. */
  readonly sort?: `${'' | '-'}${SortableField<T> | 'id' | 'createdAt' | 'updatedAt'}`;
  /** The cursor of the page before. */
  readonly after?: string;
}

/** A page of a list. @public */
export interface ItemPage<T extends BaseItem> {
  readonly items: readonly StoredItem<T>[];
  /** The `after` of the next page; undefined on the last one. */
  readonly nextCursor: string | undefined;
}

/** The fields by which an item is known: one of the sets in `unique` of its `@ItemType`. @public */
export interface UniqueKey<T extends BaseItem> {
  readonly by: readonly FieldName<T>[];
}

/** @public */
export interface ExpectedVersion {
  /** The version that the item must have; any unless given. */
  readonly expectedVersion?: number;
}

/** Permitted effects of a deletion on other items. @public */
export interface ConfirmedRemoval {
  /**
   * Confirms that items are deleted or changed which refer to the item by a reference with an `onDelete`: `true` whatever they are, or
   * the text that the refusal gave, for no more than it says. Without it, such a deletion is refused with CONFIRMATION_REQUIRED.
   */
  readonly confirm?: boolean | string;
}

/** The items of a type with the extra fields of a plugin. @public */
export interface ExtendedCollection<T extends BaseItem, Maintained> extends ItemCollection<T> {
  /**
   * Writes values of fields that are declared with `maintained`. The item gets no new version; hooks do not run. Of an item that is gone,
   * nothing is written.
   * @throws GantryError VALIDATION_FAILED, BAD_REQUEST for other fields, FORBIDDEN for those of other plugins
   */
  maintain(id: ItemId, values: Maintained): Promise<void>;
}

/**
 * The items of one type. Writes run what a request runs: validation, defaults, hooks, version. The plugin that has a read-only
 * type writes it, as itself; others read it.
 *
 * Every function throws a GantryError: UNAVAILABLE while PostgreSQL cannot be reached, BAD_REQUEST for criteria that cannot be
 * read, METHOD_NOT_ALLOWED for a write of a read-only type by others than its plugin, TYPE_NOT_FOUND for a class that is no item type in
 * use, and within a request FORBIDDEN for what the caller may not do and TYPE_NOT_FOUND for what it may not see.
 * @public
 */
export interface ItemCollection<T extends BaseItem> {
  /**
   * The same items with the extra fields that a plugin adds to the type. While it is not in use, they do not have them: they are undefined
   * when items are read, and refused in values and criteria.
   * @example const products = ctx.items.of(Product).with('seo', ProductSeo); products.find(\{ seo$title: 'Spade' \})
   */
  with<Plugin extends string, Extra extends object>(
    plugin: Plugin,
    fields: ExtraFieldsClass<Extra>,
  ): ExtendedCollection<T & NamedExtraFields<Plugin, Extra>, NamedExtraFields<Plugin, Extra>>;
  /** @returns undefined when there is none */
  get(id: ItemId): Promise<StoredItem<T> | undefined>;
  /** The first one in the order of ids; undefined when there is none. */
  find(criteria: ItemCriteria<T>): Promise<StoredItem<T> | undefined>;
  list(criteria: ItemCriteria<T>, options?: ListOptions<T>): Promise<ItemPage<T>>;
  count(criteria: ItemCriteria<T>): Promise<number>;
  /** @throws GantryError VALIDATION_FAILED, CONFLICT */
  create(values: NewItem<T>): Promise<StoredItem<T>>;
  /**
   * Creates an item unless there is one with the same key, which stays as it is. Of many callers at once, one creates it.
   * @example await notifications.createIfAbsent(\{ orderId, kind, subject \}, \{ by: ['orderId', 'kind'] \});
   * @throws GantryError VALIDATION_FAILED, CONFLICT for another unique value, BAD_REQUEST when `by` is no unique set
   */
  createIfAbsent(
    values: NewItem<T>,
    key: UniqueKey<T>,
  ): Promise<{ readonly item: StoredItem<T>; readonly created: boolean }>;
  /**
   * Changes the fields that are given.
   * @throws GantryError ITEM_NOT_FOUND, VERSION_MISMATCH, VALIDATION_FAILED, CONFLICT
   */
  update(id: ItemId, values: ItemValues<T>, options?: ExpectedVersion): Promise<StoredItem<T>>;
  /**
   * Changes all items that meet the criteria, at the moment in which they are changed: of many callers at once that take an item
   * out of the criteria, one changes it. At most 1000 items, and all of them or none.
   * @example const [taken] = await jobs.updateWhere(\{ id, state: 'OPEN' \}, \{ state: 'RUNNING' \});
   * @returns the items that it changed; not those that had the values before
   * @throws GantryError VALIDATION_FAILED, CONFLICT, BAD_REQUEST without criteria and for more items
   */
  updateWhere(criteria: ItemCriteria<T>, values: ItemValues<T>): Promise<readonly StoredItem<T>[]>;
  /**
   * Creates an item, or changes the one with the same key.
   * @throws GantryError VALIDATION_FAILED, CONFLICT for another unique value, BAD_REQUEST when `by` is no unique set
   */
  upsert(
    values: NewItem<T>,
    key: UniqueKey<T>,
  ): Promise<{ readonly item: StoredItem<T>; readonly created: boolean; readonly changed: boolean }>;
  /**
   * @returns the item as it was
   * @throws GantryError ITEM_NOT_FOUND, VERSION_MISMATCH, ITEM_REFERENCED, CONFIRMATION_REQUIRED, CONFLICT for more than 1000 other items
   */
  remove(id: ItemId, options?: ExpectedVersion & ConfirmedRemoval): Promise<StoredItem<T>>;
  /**
   * Removes all items that meet the criteria. At most 1000 items, and all of them or none.
   * @param options `confirm: true`: also deletes and changes the items that this concerns, see {@link ConfirmedRemoval}
   * @returns the items as they were
   * @throws GantryError ITEM_REFERENCED, CONFIRMATION_REQUIRED, BAD_REQUEST without criteria and for more items
   */
  removeWhere(criteria: ItemCriteria<T>, options?: { readonly confirm?: boolean }): Promise<readonly StoredItem<T>[]>;
}

/** An item whose class is not known: its fields by name. @public */
export type UntypedItem = BaseItem & { readonly [field: string]: unknown };

/** The items of a type by its code, with what there is to know of the type. @public */
export interface UntypedCollection extends ItemCollection<UntypedItem> {
  /**
   * The type and its fields as who acts may see them, as `GET /api/cms/items/{type}/metadata` has them.
   * @throws GantryError TYPE_NOT_FOUND
   */
  metadata(): ItemMetadata;
}

/** The items of all types in one transaction. @public */
export interface ItemTransaction extends Pick<ItemStore, 'of' | 'byType'> {
  /**
   * Takes the locks of these names until the transaction ends. They lock nothing but the names: a transaction that takes one of them
   * excludes everybody else who does, by this function or in SQL by `pg_advisory_xact_lock(hashtextextended(name, 0))`.
   * @example if (!(await inside.tryLock('stocktaking'))) throw new GantryError('CONFLICT', 'A stocktaking is under way.');
   * @returns false, without waiting, when another transaction has one of them
   */
  tryLock(...names: readonly string[]): Promise<boolean>;
}

/**
 * The items of all types. Within a request that a route or a mount of a plugin answers, they are used as its caller: what the roles of
 * the user do not show is not found, what they do not allow is refused, and items name the user as the one who wrote them. A request
 * without a credential has the grants of the role `public` where the mount has the access `items`, and none elsewhere. In `start` and
 * `stop`, activities, hooks of models and timers that no request began, the plugin itself uses them, with all rights.
 * @public
 */
export interface ItemStore {
  /**
   * The items of a type of this or another plugin. May be called in `register`; who acts is decided at each operation. The items are
   * there once all plugins are linked.
   * @example const payments = ctx.items.of(Payment);
   */
  of<T extends BaseItem>(type: ItemClass<T>): ItemCollection<T>;
  /**
   * The items of a type by its code, for code that works with any type; otherwise as `of`. Values have the types that they have there,
   * by the kind of each field.
   * @example const products = ctx.items.byType('product'); products.metadata().fields
   */
  byType(code: string): UntypedCollection;
  /**
   * Runs `work` in one transaction: kept when it resolves, undone when it throws. What fails inside leaves the rest as it is. After
   * a deadlock `work` runs again, up to three times, so that it must do nothing else. Transactions cannot be nested.
   * @example
   * await ctx.items.transaction(async (items) => \{
   *   const order = await items.of(Order).create(\{ orderId \});
   *   await items.of(Line).create(\{ order: order.id, product \});
   * \});
   */
  transaction<R>(work: (items: ItemTransaction) => Promise<R>): Promise<R>;
  /**
   * The same as a caller, wherever the code runs.
   * @param caller of the request, as the route got it; any other object is refused
   * @example handler: async (\{ caller \}) => (\{ data: await ctx.items.as(caller).of(Course).list(\{\}) \})
   * @throws GantryError UNAUTHENTICATED for an object that the platform has not made; of the operations also FORBIDDEN
   */
  as(caller: Caller): ItemStore;
  /**
   * The same as the plugin, with all rights, within a request as well. The route is then what protects the items: `access` and its own
   * checks. Each use within a request is in the audit log. The manifest says why the plugin needs it, in `gantry.systemScope`.
   * @example const orders = ctx.items.asPlugin().of(Order); // the callers of the route may place orders, and need not see them
   * @throws GantryError FORBIDDEN without `gantry.systemScope` in the manifest
   */
  asPlugin(): ItemStore;
}
