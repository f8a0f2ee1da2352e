/**
 * A value of an item as pages hold it: text, boolean, null, an item that it refers to (or several, in order), and numbers.
 * Any other value, such as that of a field kind whose values are objects, is the text of its JSON.
 * A number with more digits than JavaScript keeps is text with all of them.
 * @public
 */
export type Value = string | number | boolean | null | ItemReference | readonly ItemReference[];

/** An item that another one refers to. @public */
export interface ItemReference {
  readonly id: string;
  readonly label: string;
}

/** @public */
export interface Item {
  /** Digits: an id may have more of them than a JavaScript number keeps. */
  readonly id: string;
  /** Fields by name, and `createdAt`, `updatedAt` (ISO 8601, UTC) and `version`. */
  readonly values: Readonly<Record<string, Value | undefined>>;
}

/** Conditions of a list, all of which have to hold. @public */
export interface Condition {
  /** A field that is searchable, or `id`. */
  readonly field: string;
  readonly operator:
    | 'EQUALS'
    | 'CONTAINS'
    | 'MORE_THAN'
    | 'LESS_THAN'
    | 'NOT_EQUALS'
    | 'IN'
    | 'EMPTY'
    | 'STARTS_WITH'
    | 'BETWEEN'
    | 'BEFORE'
    | 'AFTER';
  readonly value: string;
}

/** @public */
export interface ListOptions {
  readonly where?: readonly Condition[];
  /** A field that is searchable, `id`, `createdAt` or `updatedAt`; with `-` before it from the last to the first. */
  readonly sort?: string;
  /** At most this many items, 1 to 200; 50 unless given. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

/** @public */
export interface ItemList {
  readonly items: readonly Item[];
  /** Leads to the next page; absent on the last one. */
  readonly next?: string;
}

/** An item as pickers show it. @public */
export interface Hit {
  readonly id: string;
  readonly label: string;
  readonly subLabel: string;
}

/** The value of a field in a form: text (numbers too, so that no digit is lost), a tick, or references in order. @public */
export type FieldValue = string | boolean | readonly ItemReference[];

/** A field of an item type, from its metadata. @public */
export interface Field {
  readonly name: string;
  readonly displayName: string;
  /** STRING, TEXT, NUMBER, BOOLEAN, REFERENCE, IMAGE, or one that comes later. */
  readonly type: string;
  readonly required: boolean;
  readonly editableOnUpdate: boolean;
  readonly placeholder: string;
  readonly help?: string;
  readonly options?: readonly string[];
  readonly maxLength?: number;
  /** Fields from which the value is derived if a new item has none. */
  readonly derivedFrom?: readonly string[];
  /** Set for a field whose value the platform computes; a write cannot set it. */
  readonly computed?: true;
  /** The members of each entry, of a field kind whose values are lists of them. */
  readonly fields?: readonly Field[];
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Set if the value is a point of an image; names the field with the address of the image. */
  readonly focalPoint?: { readonly image?: string };
  /** Parts of a structured document, for a field kind with such values. */
  readonly document?: {
    readonly nodes: readonly string[];
    readonly marks: readonly string[];
    readonly headingLevels: readonly number[];
    readonly links?: readonly string[];
  };
}

/** @public */
export interface ItemType {
  readonly code: string;
  readonly displayName: string;
  readonly readOnly: boolean;
  readonly fields: readonly Field[];
}

/** New values by field name. A reference is the id of its item, or the ids in order; null empties a field. @public */
export type NewValues = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** @public */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/**
 * Reads and writes items of every type. What was shown on other pages is read again after a write.
 * Each function rejects with a {@link PlatformError}.
 * @public
 */
export interface ItemsClient {
  type(code: string, options?: CallOptions): Promise<ItemType>;
  list(type: string, list?: ListOptions, options?: CallOptions): Promise<ItemList>;
  search(type: string, where: readonly Condition[], options?: CallOptions): Promise<readonly Hit[]>;
  get(type: string, id: string, options?: CallOptions): Promise<Item>;
  create(type: string, values: NewValues): Promise<Item>;
  /** Writes these values if the item still has the version that was read (otherwise VERSION_MISMATCH, status 412). */
  update(type: string, item: Item, values: NewValues): Promise<Item>;
  /**
   * @param options `confirm`: what the deletion may do to items that refer to this one, as the message of the refusal
   * CONFIRMATION_REQUIRED says; `all` for whatever it is
   */
  remove(type: string, item: Item, options?: { readonly confirm?: string }): Promise<void>;
}

/** A request that did not succeed. `status` 0: the platform did not answer. @public */
export interface PlatformError extends Error {
  readonly status: number;
  /** As the page of errors lists them, for example `VALIDATION_FAILED`. */
  readonly code: string;
  readonly details: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}
