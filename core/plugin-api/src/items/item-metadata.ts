import type {
  Cardinality,
  CmsFieldType,
  DeletionRule,
  FieldCondition,
  FieldWidth,
  OptionColor,
  TextFormat,
} from '@gantry/contracts';
import type { DataType } from 'sequelize';
import type { ModelCtor } from 'sequelize-typescript';
import type { BaseItem } from './base-item';
import type { KindSettings } from '../field-kinds/kind-settings';

/** A class that extends {@link BaseItem}. @public */
export type ItemTypeClass = ModelCtor<BaseItem>;

/** The target of a REFERENCE: a function that gives the class, or the qualified name `<plugin id>.<ClassName>`. @public */
export type TargetEntity = (() => ItemTypeClass) | string;

/**
 * How the value of a field is computed from other fields of the item. A write cannot set it, and it is no part of the history, of exports and of
 * the change feed.
 * @public
 */
export type Computation = SqlComputation | FunctionComputation;

/** The value is a stored generated column of PostgreSQL: lists can be sorted and searched by it as by any other. @public */
export interface SqlComputation {
  /**
   * An SQL expression in which fields are named in braces, for example `{price} * (1 + {tax} / 100)`. It must give the same value for
   * the same fields at any time (IMMUTABLE), and may name no column in another way.
   */
  readonly sql: string;
}

/** The value is made whenever items are read, for gets and lists only. @public */
export interface FunctionComputation {
  /** The fields that it is made from. */
  readonly from: readonly string[];
  /**
   * @param values of these fields as plugin code has them, null for none
   * @returns a value as plugin code has it; null or undefined for none
   */
  readonly value: (values: Readonly<Record<string, unknown>>) => unknown;
}

/** The declaration of a field (specification, "Field declaration attributes", and additive members). @public */
export interface FieldOptions {
  readonly displayName: string;
  /** `STRING` unless given. */
  readonly type?: CmsFieldType;
  /** Input hint; empty unless given. That of a number, such as `24.90`, says how many digits behind the point forms show at least. */
  readonly placeholder?: string;
  /** Lists can be filtered and sorted by it; its column gets an index. `false` unless given. */
  readonly searchable?: boolean;
  /** `null`, blank text and an empty list are refused. `false` unless given. */
  readonly required?: boolean;
  /** `false` makes the field create-only. `true` unless given. */
  readonly editableOnUpdate?: boolean;
  /** Only for REFERENCE; one without refers to no type and never has a value. */
  readonly targetEntity?: TargetEntity;
  /** Only for REFERENCE, LINK and ENUM; `SINGLE` unless given. */
  readonly cardinality?: Cardinality;
  /**
   * Only for REFERENCE and LINK: what becomes of the item when one that it refers to is deleted. `restrict`, unless given: that is refused.
   * `setNull` empties a SINGLE reference, `removeLink` removes the entry of a MULTIPLE one, `cascade` deletes the item too; all three
   * must be confirmed by who deletes, and need the right to change or delete the item. For links within a value
   * ({@link FieldOptions.linkTargets}): `restrict` or `removeLink`, which leaves the text of the link.
   */
  readonly onDelete?: DeletionRule;
  /**
   * Only for LINK, and for kinds whose values can have links to items, such as rich text: the types that they may link to. An item cannot
   * be deleted while a value links to it; see `onDelete`.
   */
  readonly linkTargets?: readonly TargetEntity[];
  /** The column's data type where it differs from the type's usual one, for example `DataType.DECIMAL(19, 4)`. */
  readonly column?: DataType | string;
  /** The only values that are accepted, in the order shown. */
  readonly options?: readonly string[];
  /**
   * Colours of options that are states, for example `{ CHECK: 'yellow' }`; gray for one without. Yellow, red and blue are filled badges:
   * somebody must act, or something is under way. Green and gray are a dot and text.
   */
  readonly optionColors?: Readonly<Record<string, OptionColor>>;
  /** Labels of options, for example `{ CHECK: 'To check' }`; only for ENUM. */
  readonly optionLabels?: Readonly<Record<string, string>>;
  /** Settings for the field kind of a plugin: JSON, as its documentation says. */
  readonly settings?: KindSettings;
  /** The value of a create that does not send the field. */
  readonly default?: string | number | boolean;
  /** A sentence shown below the control. */
  readonly help?: string;
  /** Heading of the part of the form that shows the field, for example `Period`; fields with the same heading are together. */
  readonly section?: string;
  /** The tab of the form that has the field, for example `Search engines`; fields without one are above the tabs. */
  readonly tab?: string;
  /** How much of the width of the form it takes; unless given, half of it for short values, else all. */
  readonly width?: FieldWidth;
  /** Only for TEXT: what it is written in. `markdown` gives the form an editor with a toolbar; the stored value is the same text. Plain text unless given. */
  readonly format?: TextFormat;
  /**
   * Shows the field in forms only while other fields have these values, for example `{ field: 'kind', equals: 'LINK' }`. While it is
   * hidden, the field keeps its value and is not required, also where `required` is `true`.
   */
  readonly visibleIf?: FieldCondition;
  /** Requires a value only while other fields have these values. A field that `visibleIf` hides is not required. */
  readonly requiredIf?: FieldCondition;
  /** Characters (code points) at most; STRING has 255, IMAGE 2048, TEXT 1,000,000 unless given. */
  readonly maxLength?: number;
  /** The least value of a NUMBER (text keeps every digit of a decimal), the first DATE, or the first DATETIME with its offset. */
  readonly min?: number | string;
  /** The greatest value of a NUMBER, the last DATE or DATETIME. */
  readonly max?: number | string;
  /** A regular expression that the whole value must match. */
  readonly pattern?: string;
  /**
   * Removes blanks at the ends of a STRING or TEXT before it is stored or compared. Unless given, fields that are unique,
   * alone or with others, are trimmed, so that codes that look the same are the same.
   */
  readonly trim?: boolean;
  /**
   * Only for extra fields: the plugin alone writes it, with `maintain` of the collection. People see the value as that of a field that is
   * read-only. A write makes no version, no change in the feed and no webhook, so that a counter can rise with every visit.
   */
  readonly maintained?: boolean;
  /** How its value is computed, for a field that a write cannot set. Who reads it must have the right to read the fields that it is made from. */
  readonly computed?: Computation;
  /**
   * The name that the field had in earlier versions of the plugin, or several such names: its values, its history and the grants
   * that name it become those of this field. Keep it as long as a platform may come from such a version.
   */
  readonly renamedFrom?: string | readonly string[];
}

/** The row that a search result is made from: the item's id and its values as the REST interface presents them. @public */
export interface PresentedRow {
  readonly id: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * How items of the type show in search results. Names of fields (fast, the database makes the text),
 * or a function of the presented row.
 * @public
 */
export type SearchResultMapping =
  | { readonly label?: string; readonly subLabel?: string }
  | ((row: PresentedRow) => { readonly label: string; readonly subLabel: string });

/** Items of a type that need a person. @public */
export interface AttentionRule {
  /** Shown on the home page beside the number of items, for example `Products to check`. */
  readonly title: string;
  /** Searchable fields and the value that each has in such an item, for example `{ approvalStatus: 'CHECK' }`. */
  readonly where: Readonly<Record<string, string>>;
}

/** The declaration of `@ItemType` about a class, apart from its fields. @public */
export interface ItemTypeOptions {
  /**
   * The type code, for example `pricelist`; the class name in lower case unless given. With another one, the class gets it as its name,
   * with a capital: code that is minified keeps its types.
   */
  readonly code?: string;
  /** The class name, split into words, unless given. */
  readonly displayName?: string;
  /** The name of several items, in navigation and headings; the English plural of `displayName` unless given, of a singleton that name. */
  readonly displayNamePlural?: string;
  /**
   * Its icon in the admin pages: path data of SVG, drawn as strokes on a grid of 24 by 24, for example `M4 5h16v14H4z`. At most
   * 1,000 characters.
   */
  readonly icon?: string;
  /** Fields shown as table columns, in order; every field but TEXT unless given. */
  readonly columns?: readonly string[];
  /** Sets of fields whose values together are unique, for example `[['code']]`. */
  readonly unique?: readonly (readonly string[])[];
  /**
   * Lists of fields that get an index together, for reads of the plugin's own, for example `[['status', 'since']]`. The id is
   * the last part of each. Searchable fields and sets in `unique` have theirs without it.
   */
  readonly indexes?: readonly (readonly string[])[];
  readonly searchResult?: SearchResultMapping;
  /** Field whose value heads the page of an item, for example `name`; what pickers show unless given, or while it is empty. */
  readonly heading?: string;
  /**
   * Field whose value is the label of an item, in references, the search across types and the audit, for example `orderId`; the first
   * value whose name contains name, title or code unless given.
   */
  readonly label?: string;
  /**
   * Fields whose cells can be edited in the list, for example `['price']`; none unless given. A field that cannot be changed
   * after the item is created cannot be among them.
   */
  readonly editableColumns?: readonly string[];
  /** `true`: the content endpoints only read this type; its plugin writes it. */
  readonly readOnly?: boolean;
  /**
   * `true`: there is exactly one item, such as the settings of a site. It exists from the start with the defaults of its fields, and cannot
   * be deleted; a required field needs a default.
   */
  readonly singleton?: boolean;
  /** Items that need a person; the home page counts them and leads to them. */
  readonly attention?: readonly AttentionRule[];
  /**
   * The type code that the type had in earlier versions of the plugin, or several such codes: its items,
   * their history and the grants on it become those of this type. Keep it as long as a platform may come from such a version.
   */
  readonly renamedFrom?: string | readonly string[];
}

/** A field as its class declares it. @internal */
export interface DeclaredField {
  readonly name: string;
  readonly options: FieldOptions;
}

const fieldsKey = Symbol.for('gantry.fields');
const itemTypeKey = Symbol.for('gantry.itemType');

/** Own fields of one class, in the order they are declared. @internal */
export function ownFields(target: object): readonly DeclaredField[] {
  return ownValue<readonly DeclaredField[]>(target, fieldsKey) ?? [];
}

/** Adds a field to those of one class, behind the ones that are there. @internal */
export function addOwnField(target: object, field: DeclaredField): void {
  defineOwn(target, fieldsKey, Object.freeze([...ownFields(target), Object.freeze(field)]));
}

/** The options of `@ItemType` on this very class. @internal */
export function itemTypeOptions(target: object): ItemTypeOptions | undefined {
  return ownValue<ItemTypeOptions>(target, itemTypeKey);
}

/** Makes a class an item type, with these options. @internal */
export function setItemTypeOptions(target: object, options: ItemTypeOptions): void {
  defineOwn(target, itemTypeKey, Object.freeze({ ...options }));
}

function ownValue<T>(target: object, key: symbol): T | undefined {
  return Object.getOwnPropertyDescriptor(target, key)?.value as T | undefined;
}

function defineOwn(target: object, key: symbol, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, enumerable: false });
}
